import { test } from 'vitest';
import { expectTrueWindows } from '../support/windows-month.ts';

/** SEED=n plays other days. A day takes about 4 s. */
test.each([
  ['3.1', 20],
  ['2.1', 8],
  ['2.0', 8],
] as const)(
  'with API %s every ratio is that of every second, whatever happens in %i days',
  (version, days) => expectTrueWindows(version, days),
);
