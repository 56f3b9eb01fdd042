import { expect, test } from 'vitest';
import {
  occurrenceSpans,
  recurrenceTypes,
} from '../../sandbox/src/account/maintenance-schedule.ts';
import { occurrencesWithin } from '../../src/domain/maintenance.ts';
import fc from '../support/fast-check.ts';

const day = 86_400;
const at = (text: string) => Date.parse(`${text}Z`) / 1000;

test('any window is in effect when the service has its occurrences', () => {
  const times = fc.record({
    from: fc.integer({ min: at('2025-01-01T00:00'), max: at('2026-12-31T00:00') }),
    seconds: fc.integer({ min: 60, max: 3 * day }),
    days: fc.integer({ min: 0, max: 800 }),
    recurrencetype: fc.constantFrom(...recurrenceTypes),
    repeatevery: fc.integer({ min: 1, max: 5 }),
    asked: fc.integer({ min: 0, max: 900 }),
    askedDays: fc.integer({ min: 1, max: 60 }),
  });
  fc.assert(
    fc.property(times, ({ from, seconds, days, asked, askedDays, ...recurrence }) => {
      const [to, effectiveto] = [from + seconds, from + seconds + days * day];
      const fromSeconds = at('2025-01-01T00:00') + asked * day;
      const toSeconds = fromSeconds + askedDays * day;
      const known = {
        id: 7,
        checkIds: [],
        transactionIds: [],
        recurrence: recurrence.recurrencetype,
        repeatEvery: recurrence.repeatevery,
        startAtSeconds: from,
        endAtSeconds: to,
        recurrenceEndAtSeconds: effectiveto,
      };

      const spans = occurrencesWithin(known, { fromSeconds, toSeconds });

      expect(spans.map((span) => [span.fromSeconds, span.toSeconds])).toEqual(
        occurrenceSpans({ from, to, effectiveto, ...recurrence })
          .filter((span) => span.to > fromSeconds && span.from < toSeconds)
          .map((span) => [span.from, span.to]),
      );
    }),
    { numRuns: 500 },
  );
});
