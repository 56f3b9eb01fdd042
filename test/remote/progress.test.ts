import { expect, test } from 'vitest';
import { Progress } from '../../src/remote/progress.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

test('the progress of a backfill counts only what was read as read, and names the rest', () => {
  const lines: string[] = [];
  const output = { write: (text: string) => lines.push(text) > 0 };
  const job = {
    items: 30,
    read: 4,
    incomplete: 3,
    refused: 2,
    gone: 1,
    waiting: 5,
    seconds_left: 1_800,
  };

  new Progress(output, { monotonic: () => 0 }).read(job);
  new Progress(output, { monotonic: () => 0 }).read({
    items: 30,
    read: 30,
    incomplete: 0,
    refused: 0,
    gone: 0,
    waiting: 0,
  });

  expect(lines).toEqual([
    'read 4 of 30 (3 with unreadable entries, 2 refused by the service, 1 deleted, 5 first seen too recently), 30 min left\n',
    'read 30 of 30\n',
  ]);
});

test.each([
  ['from the days that were written, and from none not', 0, 10, '2 min'],
  ['from the days of this run', 21, 23, '3 min 30 s'],
])('what is left to write is told %s', async (_, first, days, left) => {
  const lines: string[] = [];
  const clock = new VirtualClock();
  const progress = new Progress({ write: (text) => lines.push(text) > 0 }, clock);
  progress.written(first, 30);
  await clock.advance(60_000);
  progress.written(days, 30);

  expect(lines).toEqual([
    `wrote ${first} of 30 days\n`,
    `wrote ${days} of 30 days, ${left} left\n`,
  ]);
});

test('on a terminal a bar shows how much is done', () => {
  const lines: string[] = [];
  const output = { isTTY: true, write: (text: string) => lines.push(text) > 0 };
  const progress = new Progress(output, new VirtualClock());
  for (const days of [0, 10, 30]) progress.written(days, 30);
  progress.end();

  const filled = lines.map((line) => line.match(/^\r\[(#*)\.*\] /)?.[1]?.length);
  const whole = filled[2] ?? Number.NaN;
  expect(filled).toEqual([0, Math.round(whole / 3), whole, undefined]);
  expect(lines[2]).toBe(`\r[${'#'.repeat(whole)}] wrote 30 of 30 days\u001b[K`);
  expect(lines[3]).toBe('\n');
});
