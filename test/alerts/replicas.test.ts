import { casesOf, extent } from '../support/extent.ts';
import { describeWith, promtools, shareOf } from '../support/promtools.ts';
import { testCases } from './promtool-rules.ts';
import { replicaLives } from './replica-lives.ts';
import { paces, replicaCase } from './replica-world.ts';

/** Every second life; the night plays all. */
const places = [...replicaLives.keys()].filter((place) => place % 2 === 0);
const lives = casesOf(replicaLives, ...places);
const tools = extent(promtools().slice(-1), promtools());

describeWith(tools)('by promtool $version', ({ path }) => {
  const cases = shareOf(paces.slice(0, extent(1, paces.length)), path, tools).flatMap((pace) =>
    lives.map((life) => replicaCase(life, pace)),
  );
  testCases(path, cases);
});
