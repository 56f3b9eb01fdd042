import { test } from 'vitest';
import { expectTrueWindows } from '../support/windows-month.ts';

/** The night plays a whole month. */
test('every ratio is that of every second through a day of faults, kills and lost stores', () =>
  expectTrueWindows('3.1', 1));
