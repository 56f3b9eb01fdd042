import { beforeAll, expect, test } from 'vitest';
import { extent } from '../support/extent.ts';
import { describeWith, promtools, shareOf } from '../support/promtools.ts';
import { edgeCases, paces } from './edge-cases.ts';
import { runCases } from './promtool-rules.ts';

const tools = extent(promtools().slice(-1), promtools());

describeWith(tools)('by promtool $version', ({ path }) => {
  const cases = shareOf(paces.slice(0, extent(1, paces.length)), path, tools).flatMap(edgeCases);
  let outcomes: ReadonlyMap<string, string | undefined> = new Map();
  beforeAll(async () => {
    outcomes = await runCases(path, cases);
  });

  test.each(cases)('$name', ({ name }) => {
    expect(outcomes.has(name)).toBe(true);
    expect(outcomes.get(name)).toBeUndefined();
  });
});
