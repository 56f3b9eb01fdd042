import { expect, test } from 'vitest';
import { describeWith, promtools } from '../support/promtools.ts';
import { lifeCases } from './life-cases.ts';
import { runCases } from './promtool-rules.ts';

const cases = lifeCases([1]);

describeWith(promtools().slice(-1))('outages as promtool $version sees them', ({ path }) => {
  test('of checks that are tested every minute', async () => {
    const outcomes = await runCases(path, cases);
    expect(outcomes).toEqual(new Map(cases.map(({ name }) => [name, undefined])));
  });
});
