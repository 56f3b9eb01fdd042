import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

// Plays random lives of an exporter and the simulated service, from a seed on. A life that breaks a
// promise prints its smallest script, for which it is played up to 60 times; a week only with --shrink.
//
//   npm run life -- --seed 472 --weeks 10  a week of faults, kills and changes: counters and ratios
//   npm run life -- --seed 472 --weeks 1 --shrink 20
//   npm run life -- --seed 5 --days 20     a day as full as three, with reports that tell less
//   npm run life -- --seed 7 --ends 1      the end of a month: the report in all its forms
//   npm run life -- --seed 3 --pages 20    hours: every promise of the page

/** The file of each kind of life, and a part of its title. */
const lives = {
  weeks: ['weeks.night.test.ts', 'random week'],
  days: ['weeks.night.test.ts', 'random day'],
  ends: ['months.long.test.ts', 'random'],
  pages: ['life.test.ts', 'random'],
};
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    shrink: { type: 'string' },
    ...Object.fromEntries(Object.keys(lives).map((kind) => [kind, { type: 'string' }])),
  },
});
const asked = Object.entries(lives).filter(([kind]) => values[kind] !== undefined);
if (asked.length === 0) {
  console.error(
    'usage: npm run life -- --seed N (--weeks N | --days N | --ends N | --pages N) [--shrink PLAYS]',
  );
  process.exit(2);
}
for (const [kind, [file, title]] of asked) {
  const { status } = spawnSync(
    'npx',
    ['vitest', 'run', '--project', 'whole', '--project', 'night', `test/life/${file}`, '-t', title],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        SEED: values.seed,
        LIVES: values[kind],
        ...(values.shrink !== undefined && { SHRINK: values.shrink }),
      },
    },
  );
  if (status !== 0) process.exitCode = 1;
}
