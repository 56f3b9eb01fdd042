import { beforeAll, describe, expect, test } from 'vitest';
import { promtools } from '../support/promtools.ts';
import { lifeCases } from './life-cases.ts';
import { runCases } from './promtool-rules.ts';

describe.each(promtools())('outages as promtool $version sees them', ({ path }) => {
  let outcomes: ReadonlyMap<string, string | undefined> = new Map();
  beforeAll(async () => {
    outcomes = await runCases(path, lifeCases);
  }, 600_000);

  test.each(lifeCases)('$name', ({ name }) => {
    expect(outcomes.has(name)).toBe(true);
    expect(outcomes.get(name)).toBeUndefined();
  });
});
