import { beforeAll, expect, test } from 'vitest';
import { casesOf } from '../support/extent.ts';
import { describeWith, promtools, shareOf } from '../support/promtools.ts';
import { lifeCases, resolutions } from './life-cases.ts';
import { runCases } from './promtool-rules.ts';

const tools = promtools();

describeWith(tools)('outages as promtool $version sees them', ({ path }) => {
  const cases = lifeCases(shareOf(casesOf(resolutions, 0, 2), path, tools));
  let outcomes: ReadonlyMap<string, string | undefined> = new Map();
  beforeAll(async () => {
    outcomes = await runCases(path, cases);
  });

  test.each(cases)('$name', ({ name }) => {
    expect(outcomes.has(name)).toBe(true);
    expect(outcomes.get(name)).toBeUndefined();
  });
});
