import { beforeAll, expect, test } from 'vitest';
import { extent } from '../support/extent.ts';
import { describeWith, promtools, shareOf } from '../support/promtools.ts';
import { runCases } from './promtool-rules.ts';
import { replicaLives } from './replica-lives.ts';
import { paces, replicaCase } from './replica-world.ts';

const tools = extent(promtools().slice(-1), promtools());

describeWith(tools)('by promtool $version', ({ path }) => {
  const cases = shareOf(paces.slice(0, extent(1, paces.length)), path, tools).flatMap((pace) =>
    replicaLives.map((life) => replicaCase(life, pace)),
  );
  let outcomes: ReadonlyMap<string, string | undefined> = new Map();
  beforeAll(async () => {
    outcomes = await runCases(path, cases);
  });

  test.each(cases)('$name', ({ name }) => {
    expect(outcomes.has(name)).toBe(true);
    expect(outcomes.get(name)).toBeUndefined();
  });
});
