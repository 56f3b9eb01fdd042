import { expect, test } from 'vitest';
import { countEvents, startEventTally, withLabels } from '../../src/tally/event-tally.ts';

test('events are counted by label, once each, whatever is read again', () => {
  const range = { fromSeconds: 100, toSeconds: 200 };
  const sent = { atSeconds: 150, key: '7 email ann', label: 'email sent' };
  const failed = { atSeconds: 150, key: '7 sms bob', label: 'sms error' };

  const first = countEvents(startEventTally(100), range, [sent, failed]);
  const late = { atSeconds: 160, key: '9 email ann', label: 'email sent' };
  const second = countEvents(first, { fromSeconds: 100, toSeconds: 260 }, [sent, failed, late]);

  expect(first.counts).toEqual({ 'email sent': 1, 'sms error': 1 });
  expect(second.counts).toEqual({ 'email sent': 2, 'sms error': 1 });
});

test('an event at the end of a range belongs to the next one', () => {
  const edge = { atSeconds: 200, key: '1', label: 'analysis' };
  const first = countEvents(startEventTally(100), { fromSeconds: 100, toSeconds: 200 }, [edge]);
  const second = countEvents(first, { fromSeconds: 100, toSeconds: 300 }, [edge]);

  expect(first.counts).toEqual({});
  expect(second.counts).toEqual({ analysis: 1 });
});

test('a label may bear any name', () => {
  const odd = { atSeconds: 110, key: '1', label: '__proto__' };

  const { counts } = countEvents(startEventTally(100), { fromSeconds: 100, toSeconds: 200 }, [odd]);

  expect(Object.entries(counts)).toEqual([['__proto__', 1]]);
});

test('the counts of labels that are not kept go; a tally that keeps all is the same object', () => {
  const events = ['kept', 'gone'].map((label) => ({ atSeconds: 110, key: label, label }));
  const tally = countEvents(startEventTally(100), { fromSeconds: 100, toSeconds: 200 }, events);

  expect(withLabels(tally, (label) => label === 'kept').counts).toEqual({ kept: 1 });
  expect(withLabels(tally, () => true)).toBe(tally);
});
