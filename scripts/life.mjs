import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

// Plays random lives of an exporter and the simulated service, from a seed on. A life that breaks a
// promise prints its smallest script.
//
//   npm run life -- --seed 472 --weeks 1   a week of faults, kills and changes: counters and ratios
//   npm run life -- --seed 7 --ends 1      the end of a month: the report in all its forms
//   npm run life -- --seed 3 --pages 20    hours: every promise of the page

const files = { weeks: 'weeks.night.test.ts', ends: 'months.long.test.ts', pages: 'life.test.ts' };
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    ...Object.fromEntries(Object.keys(files).map((kind) => [kind, { type: 'string' }])),
  },
});
const asked = Object.entries(files).filter(([kind]) => values[kind] !== undefined);
if (asked.length === 0) {
  console.error('usage: npm run life -- --seed N (--weeks N | --ends N | --pages N)');
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
    { stdio: 'inherit', env: { ...process.env, SEED: values.seed, LIVES: values[kind] } },
  );
  if (status !== 0) process.exitCode = 1;
}
