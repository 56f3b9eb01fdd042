import { beforeAll, expect, test } from 'vitest';
import { extent } from '../support/extent.ts';
import { describeWith, promtools } from '../support/promtools.ts';
import { edgeCases, paces } from './edge-cases.ts';
import { runCases } from './promtool-rules.ts';

const tools = extent(promtools().slice(-1), promtools());

describeWith(tools)('by promtool $version', ({ path }) => {
  // Each version plays every other pace, and both play the first one.
  const place = tools.findIndex((tool) => tool.path === path);
  const cases = paces
    .slice(0, extent(1, paces.length))
    .filter((_, pace) => pace === 0 || pace % 2 === place % 2)
    .flatMap(edgeCases);
  let outcomes: ReadonlyMap<string, string | undefined> = new Map();
  beforeAll(async () => {
    outcomes = await runCases(path, cases);
  }, 1_800_000);

  test.each(cases)('$name', ({ name }) => {
    expect(outcomes.has(name)).toBe(true);
    expect(outcomes.get(name)).toBeUndefined();
  });
});
