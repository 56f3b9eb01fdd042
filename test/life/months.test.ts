import { expect, test } from 'vitest';
import { casesOf } from '../support/extent.ts';
import { MonthChecker } from './month-checker.ts';
import { monthScripts } from './month-scripts.ts';
import { play } from './script.ts';

/** Every fourth script; the night plays all. */
const places = [...monthScripts.keys()].filter((place) => place % 4 === 0);

test.each(casesOf(monthScripts, ...places))(
  'a month keeps its promises when %s',
  async (_, script) => {
    const { broken } = await play(script, (life) => new MonthChecker(life));
    expect(broken).toEqual([]);
  },
);
