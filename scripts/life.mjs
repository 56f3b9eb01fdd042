import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

// Plays random lives of an exporter and the simulated service, from a seed on. A life that breaks a
// promise prints its smallest script, for which it is played up to 60 times; a week only with --shrink.
//
//   npm run life -- --seed 472 --weeks 10  a week of faults, kills and changes: counters and ratios
//   npm run life -- --seed 472 --weeks 1 --shrink 20
//   npm run life -- --seed 7 --ends 1      the end of a month: the report in all its forms
//   npm run life -- --seed 3 --pages 20    hours: every promise of the page

const files = { weeks: 'weeks.night.test.ts', ends: 'months.long.test.ts', pages: 'life.test.ts' };
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    shrink: { type: 'string' },
    ...Object.fromEntries(Object.keys(files).map((kind) => [kind, { type: 'string' }])),
  },
});
const asked = Object.entries(files).filter(([kind]) => values[kind] !== undefined);
if (asked.length === 0) {
  console.error(
    'usage: npm run life -- --seed N (--weeks N | --ends N | --pages N) [--shrink PLAYS]',
  );
  process.exit(2);
}
for (const [kind, file] of asked) {
  const { status } = spawnSync(
    'npx',
    [
      'vitest',
      'run',
      '--project',
      'whole',
      '--project',
      'night',
      `test/life/${file}`,
      '-t',
      'random',
    ],
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
