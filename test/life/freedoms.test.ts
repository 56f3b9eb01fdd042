import { expect, test } from 'vitest';
import {
  type FreedomName,
  freedoms,
  recordedWire,
  type Wire,
  wireText,
} from '../../sandbox/src/wire.ts';
import { casesOf } from '../support/extent.ts';
import { Checker } from './checker.ts';
import { down, pause, play, unknown } from './script.ts';

/** Recorded responses but for one freedom: a wire for each value that may be drawn. */
const wires = (Object.keys(freedoms) as FreedomName[]).flatMap((name) => {
  const values = [...freedoms[name].drawn, freedoms[name].documented];
  const each = values.map((value): Wire => ({ ...recordedWire, [name]: value }));
  const texts = new Set([wireText(recordedWire)]);
  return each.flatMap((wire) => {
    const text = wireText(wire);
    if (texts.has(text)) return [];
    texts.add(text);
    return [[text, wire] as const];
  });
});

/** What an account does in an hour and a half. */
const events = [down(0, 20, 12), down(1, -60, 100), pause(2, 25, 30), unknown(3, 30, 15)];

test.each(casesOf(wires, 8))('a page keeps every promise with the wire %s', async (_, wire) => {
  const { broken } = await play({ events, wire }, (life) => new Checker(life));
  expect(broken).toEqual([]);
});
