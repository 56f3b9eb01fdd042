import { expect } from 'vitest';
import { wireText, wireWith } from '../../sandbox/src/wire.ts';
import { shrink } from './random.ts';
import { type Life, play, type Script, type Watcher } from './script.ts';

/** Random lives of one kind, and what is watched in them. */
export interface DrawnLives {
  /** The option of `npm run life` that plays them. */
  readonly option: 'pages' | 'ends' | 'days' | 'weeks';
  readonly draw: (seed: number) => Script;
  readonly watcherOf: (life: Life) => Watcher;
}

/** A failing life is played at most so often to find its smallest script. A week takes a minute. */
const mostPlays = { pages: 60, ends: 60, days: 60, weeks: 0 };

/** SEED=n and LIVES=m choose others: m from the seed n on. */
export function drawnSeeds(lives: number): readonly number[] {
  const first = Number(process.env.SEED ?? 1);
  const length = Number(process.env.LIVES ?? lives);
  return Array.from({ length }, (_, place) => first + place);
}

/** Each life is played in a test of its own, so that its memory is freed after it. */
export async function expectKept({ option, draw, watcherOf }: DrawnLives, seed: number) {
  const brokenIn = async (script: Script) => (await play(script, watcherOf)).broken;
  const script = draw(seed);
  const broken = await brokenIn(script);
  if (broken.length === 0) return;
  const plays = Number(process.env.SHRINK ?? mostPlays[option]);
  const again = `npm run life -- --seed ${seed} --${option} 1`;
  if (plays === 0) expect.fail([...broken, `${again} --shrink 60`].join('\n'));
  const fails = async (one: Script) => (await brokenIn(one)).length > 0;
  const smallest = await shrink(script, fails, plays);
  expect.fail(
    [
      ...broken,
      `smallest script: ${scriptText(smallest)}`,
      ...(await brokenIn(smallest)),
      again,
    ].join('\n'),
  );
}

/** What one needs to know to write a named script of it. */
function scriptText({ events, wire = {}, begin, zone, minutes }: Script): string {
  const since = begin === undefined ? '' : ` from ${new Date(1000 * begin).toISOString()}`;
  const time = `${minutes ?? ''} minutes${since} in ${zone ?? 'UTC'}`;
  return `${time}, wire ${wireText(wireWith(wire))}, events ${JSON.stringify(events)}`;
}
