import { expect, test } from 'vitest';
import { MonthChecker } from './month-checker.ts';
import { monthScripts } from './month-scripts.ts';
import { play } from './script.ts';

test.each(monthScripts)('a month keeps its promises when %s', async (_, script) => {
  const { broken } = await play(script, (life) => new MonthChecker(life));
  expect(broken).toEqual([]);
});
