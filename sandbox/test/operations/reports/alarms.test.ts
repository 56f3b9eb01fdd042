import { describe, expect, test } from 'vitest';
import { alertEventsOf } from '../../../src/operations/reports/sent-alerts.ts';

const always = { from: 0, to: 1_000_000 };
const rules = { sendAfter: 2, repeatEvery: 0, whenBackUp: true };

/** Ten tests failed, one every 60 seconds. */
const outage = {
  start: 1000,
  confirmedAt: 1060,
  resolutionSeconds: 60,
  end: 1600,
  recovered: true,
};
const { end: _end, ...lasting } = { ...outage, recovered: false };

function told(
  over: Parameters<typeof alertEventsOf>[0],
  changes: Partial<typeof rules> = {},
  period = always,
) {
  return alertEventsOf(over, { ...rules, ...changes }, period).map(
    ({ kind, time }) => `${kind} ${time}`,
  );
}

describe('an outage causes a message', () => {
  test('when it is confirmed and when it is over, newest first', () => {
    expect(told(outage)).toEqual(['up 1600', 'down 1060']);
    expect(alertEventsOf(outage, rules, always)[0]).toEqual({
      time: 1600,
      kind: 'up',
      since: 1000,
    });
  });

  test('after as many failed tests as the check says, but not before it is confirmed', () => {
    expect(told(outage, { sendAfter: 10 })).toEqual(['up 1600', 'down 1540']);
    expect(told(outage, { sendAfter: 1 })).toEqual(['up 1600', 'down 1060']);
    expect(told(outage, { sendAfter: 0 })).toEqual(['up 1600', 'down 1060']);
  });

  test('not at all when it is over before there were as many', () => {
    expect(told(outage, { sendAfter: 11 })).toEqual([]);
  });

  test('again every so many failed tests', () => {
    expect(told(outage, { repeatEvery: 3 })).toEqual([
      'up 1600',
      'down 1420',
      'down 1240',
      'down 1060',
    ]);
    expect(told(outage, { repeatEvery: 9 })).toEqual(['up 1600', 'down 1060']);
    expect(told(outage, { repeatEvery: 8 })).toEqual(['up 1600', 'down 1540', 'down 1060']);
  });

  test('not when it is over, if the check disables that or no successful test ended it', () => {
    expect(told(outage, { whenBackUp: false })).toEqual(['down 1060']);
    expect(told({ ...outage, recovered: false })).toEqual(['down 1060']);
  });

  test('while it lasts, up to the end of the period', () => {
    expect(told(lasting, {}, { from: 0, to: 1059 })).toEqual([]);
    expect(told(lasting, { repeatEvery: 1 }, { from: 1150, to: 1300 })).toEqual([
      'down 1300',
      'down 1240',
      'down 1180',
    ]);
  });

  test('in a period that holds its ends', () => {
    expect(told(outage, {}, { from: 1060, to: 1600 })).toEqual(['up 1600', 'down 1060']);
    expect(told(outage, {}, { from: 1061, to: 1599 })).toEqual([]);
  });
});
