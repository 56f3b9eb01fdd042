import { expect, test } from 'vitest';
import { ApiError } from '../../src/api/errors.ts';
import { joinedSpans } from '../../src/api/long-reports.ts';
import type { Reader, ReadRequest } from '../../src/api/reader.ts';
import { listOutages } from '../../src/api/resources/outages.ts';
import { listTransactionStates } from '../../src/api/resources/transaction-states.ts';
import type { StateSpan } from '../../src/domain/interval.ts';

const { signal } = new AbortController();
const day = 86_400;
const start = 1_767_225_600;
const iso = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000', '');

/** Another state at the end of each day, so that states are cut where parts meet. */
const truth = Array.from({ length: 365 }, (_, place) => [
  { status: 'up', from: start + place * day, to: start + place * day + 80_000 },
  {
    status: place % 2 === 0 ? 'down' : 'unknown',
    from: start + place * day + 80_000,
    to: start + (place + 1) * day,
  },
]).flat();

/** A service that rejects reports of more days, and whose reports begin with the first test. */
class Limited implements Reader {
  readonly baseUrl = 'https://api.example.com';
  readonly lengths: number[] = [];
  readonly #mostDays: number;

  constructor(mostDays: number) {
    this.#mostDays = mostDays;
  }

  async get({ operation, query = {} }: ReadRequest): Promise<unknown> {
    const seconds = (value: unknown) =>
      typeof value === 'string' ? Date.parse(value) / 1000 : Number(value);
    const [from, to] = [seconds(query.from), seconds(query.to)];
    this.lengths.push((to - from) / day);
    if (to - from > this.#mostDays * day) {
      throw new ApiError({ reason: 'bad_request', operation, message: 'The period is too long' });
    }
    const first = Math.ceil(from / 3_600) * 3_600 + 1_800;
    const states = truth
      .filter((state) => state.to > first && state.from < to)
      .map((state) => ({
        ...state,
        from: Math.max(first, state.from),
        to: Math.min(to, state.to),
      }));
    return operation === 'list_outages'
      ? {
          summary: {
            states: states.map((state) => ({
              status: state.status,
              timefrom: state.from,
              timeto: state.to,
            })),
          },
        }
      : {
          report: [50, 51].map((id) => ({
            check_id: id,
            states: states.map((state) => ({ ...state, from: iso(state.from), to: iso(state.to) })),
          })),
        };
  }
}

const spans = truth.map(({ status, from, to }) => ({
  state: status,
  fromSeconds: from,
  toSeconds: to,
}));
const period = { fromSeconds: start + 3_600, toSeconds: start + 365 * day };

test.each([366, 31, 13, 8])(
  'the states of a year are read from a service with reports of up to %i days',
  async (mostDays) => {
    const reader = new Limited(mostDays);
    const { items, rejected } = await listOutages(reader, { checkId: 12, ...period }, signal);
    expect(items.slice(1)).toEqual(spans.slice(1));
    expect(rejected).toEqual([]);
    expect(Math.min(...reader.lengths)).toBeGreaterThan(mostDays / 2.5);

    const ofTransactions = await listTransactionStates(new Limited(mostDays), period, signal);
    expect(ofTransactions.items.map(({ transactionId }) => transactionId)).toEqual([50, 51]);
    for (const { states } of ofTransactions.items) expect(states.slice(1)).toEqual(spans.slice(1));
  },
);

test('a report of a week that is rejected is not asked for again', async () => {
  const reader = new Limited(1);
  const week = { fromSeconds: start, toSeconds: start + 7 * day };
  await expect(listOutages(reader, { checkId: 12, ...week }, signal)).rejects.toMatchObject({
    reason: 'bad_request',
  });
  expect(reader.lengths).toHaveLength(1);
});

test('where two parts contradict each other, the earlier one is right up to its end', () => {
  const parts: readonly (readonly StateSpan[])[] = [
    [{ state: 'up', fromSeconds: 0, toSeconds: 10 }],
    [
      { state: 'up', fromSeconds: 2, toSeconds: 7 },
      { state: 'down', fromSeconds: 7, toSeconds: 15 },
    ],
  ];
  expect(joinedSpans(parts)).toEqual([
    { state: 'up', fromSeconds: 0, toSeconds: 10 },
    { state: 'down', fromSeconds: 10, toSeconds: 15 },
  ]);
});
