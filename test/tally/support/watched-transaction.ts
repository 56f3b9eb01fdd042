import type { Reader, ReadRequest } from '../../../src/api/reader.ts';
import { createServiceV31 } from '../../../src/api/versions.ts';
import { ServiceTime } from '../../../src/datasets/refresh-context.ts';
import { refreshTransactions } from '../../../src/datasets/transactions.ts';
import type { StateSpan, TalliedState } from '../../../src/domain/interval.ts';
import { countersOf, spansSince } from '../../../src/slo/state-log.ts';
import type { AccountState } from '../../../src/state/account-state.ts';
import { shopState } from '../../state/support/shop.ts';
import { refreshWires } from '../../support/refresh-wires.ts';
import { type Dice, dice, within } from './simulated-life.ts';
import {
  changesUntil,
  createdSeconds,
  SimulatedTransaction,
  type TransactionWire,
} from './simulated-transaction.ts';

const id = 50;

/** What is counted of a transaction otherwise than it was. */
export interface WatchedTransaction {
  readonly wrong: readonly string[];
  /** Counted outages, less the true ones. */
  readonly wrongOutages: number;
  /** How far the counted time is behind the end of the life. */
  readonly behindSeconds: number;
}

/** An exporter reads the list and the report of one transaction, as the refresh of transactions does. */
export async function watchTransaction(
  wire: TransactionWire,
  seed: number,
): Promise<WatchedTransaction> {
  const chance = dice(seed);
  const ofReports = dice(-seed);
  const life = new SimulatedTransaction(wire, chance);
  let now = createdSeconds + within(chance, wire.firstReadSeconds);
  const clock = { now: () => 1000 * now, monotonic: () => 1000 * now, sleep: async () => {} };
  const reader: Reader = {
    baseUrl: 'https://api.example.com',
    get: async (request) => responseOf(life, wire, request, now, ofReports),
  };
  const service = createServiceV31(reader);
  const started = (state: AccountState) => {
    const serviceTime = new ServiceTime({ clock, state });
    const times = { clock, serviceTime, responseTimeBounds: [1], byCountry: false };
    const context = { ...refreshWires(clock), service, state, ...times };
    return refreshTransactions(context, { isKnownFor: async () => true });
  };
  let state = shopState({ clock });
  let refresh = started(state);
  const { signal } = new AbortController();
  const endSeconds = createdSeconds + wire.lifeSeconds;
  for (; now < endSeconds; now += within(chance, wire.readsSeconds)) {
    if (wire.restarts && chance() < 0.03) {
      state = restored(state, shopState({ clock }));
      refresh = started(state);
    }
    const isBlind = now < changesUntil && chance() < wire.blindShare;
    if (isBlind) now += within(chance, wire.blindSeconds);
    await refresh(0, signal);
  }
  return compared(life, state, now);
}

function responseOf(
  life: SimulatedTransaction,
  { reportLagSeconds, listLagSeconds, unreadableShare }: TransactionWire,
  { operation, query = {} }: ReadRequest,
  now: number,
  chance: Dice,
): unknown {
  if (operation === 'list_transactions') {
    return { checks: [life.entryAt(now - within(chance, listLagSeconds))] };
  }
  const from = Date.parse(String(query.from)) / 1000;
  const iso = (seconds: number) => new Date(1000 * seconds).toISOString();
  const isReadable = chance() >= unreadableShare;
  const states = life
    .reportFrom(from, now - within(chance, reportLagSeconds))
    .map(({ state, fromSeconds, toSeconds }) => ({
      status: state,
      from: iso(fromSeconds),
      to: isReadable || chance() < 0.5 ? iso(toSeconds) : 'later',
    }));
  const isNamed = isReadable || chance() < 0.8;
  // Not every entry of a report is malformed.
  const other = { check_id: id + 1, states: [] };
  return { report: [{ check_id: isNamed ? id : '?', states }, other] };
}

/** The state after a restart, with what was stored of the transaction. */
function restored(before: AccountState, state: AccountState): AccountState {
  const records = [...before.transactions.records()];
  state.restore({
    checkTotals: new Map(),
    checkDetails: new Map(),
    transactions: records.map(({ entry }) => entry),
    transactionTotals: new Map(records.map(({ entry, totals }) => [entry.id, totals])),
    transactionDetails: new Map(records.map(({ entry, details }) => [entry.id, details])),
  });
  return state;
}

function compared(
  life: SimulatedTransaction,
  { transactions }: AccountState,
  now: number,
): WatchedTransaction {
  const totals = transactions.get(id)?.totals;
  if (totals === undefined) throw new Error('the transaction is not counted');
  const { startSeconds, horizonSeconds } = totals.states;
  const truth = life.spansUntil(horizonSeconds);
  const begun = truth.filter((span) => span.state === 'down' && span.fromSeconds > startSeconds);
  const counters = countersOf(totals);
  const states = ['up', 'down', 'unknown', 'unmonitored'] as const;
  const wrong = states.flatMap((state) => {
    const real = secondsOf(state, truth, startSeconds);
    const missed = real - counters.seconds[state];
    return missed === 0 ? [] : [`${missed} s of ${state} are missed`];
  });
  const known = spansSince(totals, createdSeconds);
  return {
    wrong: [...wrong, ...differences(truth, known)],
    wrongOutages: counters.outages - begun.length,
    behindSeconds: now - horizonSeconds,
  };
}

function secondsOf(state: TalliedState, spans: readonly StateSpan[], fromSeconds: number): number {
  return spans
    .filter((span) => span.state === state)
    .reduce(
      (sum, span) => sum + Math.max(0, span.toSeconds - Math.max(span.fromSeconds, fromSeconds)),
      0,
    );
}

/** Where the log shows another state than the true one. */
function differences(truth: readonly StateSpan[], known: readonly StateSpan[]): string[] {
  return known.flatMap((one) =>
    truth.flatMap(({ state, fromSeconds, toSeconds }) => {
      const from = Math.max(fromSeconds, one.fromSeconds);
      const to = Math.min(toSeconds, one.toSeconds);
      if (state === one.state || from >= to) return [];
      return [`${state} was ${one.state} from ${from - createdSeconds} to ${to - createdSeconds}`];
    }),
  );
}
