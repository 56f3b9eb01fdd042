import type { FaultName } from '../../sandbox/src/faults/faults.ts';
import { drawWire, type Wire } from '../../sandbox/src/wire.ts';
import type { ApiVersion } from '../../src/domain/version.ts';
import { hashUnit } from '../../src/lib/random.ts';
import { countersOnly } from '../support/states-only.ts';
import {
  away,
  cancel,
  copy,
  crash,
  doom,
  drought,
  edit,
  fault,
  full,
  heldUp,
  type LifeEvent,
  maintenance,
  pause,
  reload,
  rename,
  restore,
  type Script,
  step,
  type TransactionInterval,
} from './script.ts';

const hour = 60;
const day = 24 * hour;
const resolutions = [1, 5, 15];
const faults: readonly FaultName[] = [
  ...(['status-500', 'status-503', 'html', 'empty-body', 'truncated-json'] as const),
  ...(['json-empty-object', 'json-array', 'corrupt-gzip', 'truncated-gzip'] as const),
  ...(['reset-before-headers', 'reset-in-body', 'unauthorized', 'forbidden'] as const),
  ...(['limit-exceeded', 'limit-exceeded-without-headers', 'malformed-entries'] as const),
  ...(['duplicate-entry', 'no-limit-headers'] as const),
];
const operations = [
  ...(['list_checks', 'list_outages', 'list_results', 'list_transaction_states'] as const),
  undefined,
];

export interface Days {
  readonly seed: number;
  readonly days: number;
  readonly version?: ApiVersion;
  readonly wire?: Partial<Wire>;
  /** In an hour and in 30 days. */
  readonly limits?: readonly [short: number, long: number];
  /** Minutes between two runs of a transaction. If empty, the account has no transactions. */
  readonly intervals?: readonly TransactionInterval[];
  /** Events of each day; 12 by default. */
  readonly perDay?: number;
  /** Its owner plans, edits and cancels maintenance, renames checks, reloads, and sets the clock. */
  readonly hasOwner?: boolean;
  /** The exporter gets the store of an earlier time, at least once in three days. */
  readonly losesDays?: boolean;
}

/**
 * Days of an account and its exporter. Checks fail, are paused and are changed; the service sends
 * wrong responses; other clients spend the budget; the disk is full; the process is killed at any
 * moment and is started again minutes or days later.
 */
export function drawDays(given: Days): Script {
  const { seed, days, version = '3.1', wire = {}, limits = [4_000, 720_000], perDay = 12 } = given;
  const intervals = given.intervals ?? (version === '3.1' ? [5, 10, 20] : []);
  let draws = 0;
  const chance = () => hashUnit(seed, 7, ++draws);
  const below = (end: number) => Math.floor(chance() * end);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  const [checks, transactions] = [8, intervals.length === 0 ? 0 : 3];
  const at = () => chance() * days * day;
  const forAWhile = (longest: number) => 1 + chance() ** 3 * longest;
  const awayFor = () => 1 + chance() ** 3 * 2 * day;
  const ofTransactions: readonly (() => LifeEvent)[] = [
    () => ({ kind: 'interval', at: at(), transaction: below(transactions), to: pick(intervals) }),
    () => ({ kind: 'switch', at: at(), transaction: below(transactions) }),
  ];
  const ofOwner: readonly (() => LifeEvent)[] = [
    () => step(at(), Math.round((chance() - 0.5) * 36_000)),
    () => reload(at()),
    () => rename(below(checks), at()),
    () => reload(at()),
    () => maintenance(below(checks), at(), below(120), 1 + below(240)),
    () => edit(at(), 1 + below(200)),
    () => cancel(at()),
  ];
  const kinds: readonly (() => LifeEvent)[] = [
    () => doom(at(), 1 + below(40), chance() < 0.5, awayFor()),
    () => heldUp(at(), 1 + below(40), awayFor()),
    () => crash(at(), awayFor()),
    () => away(at(), awayFor()),
    ...[1, 2, 3].map(() => () => fault(pick(faults), at(), forAWhile(12 * hour), pick(operations))),
    () => drought(at()),
    () => full(at(), forAWhile(6 * hour)),
    ...(given.hasOwner ? ofOwner : []),
    ...[1, 2, 3].map(() => () => pause(below(checks), at(), forAWhile(day))),
    () => ({ kind: 'resolution', at: at(), check: below(checks), to: pick(resolutions) }),
    ...(transactions === 0 ? [] : ofTransactions),
  ];
  const events = Array.from({ length: Math.ceil(perDay * days) }, () => pick(kinds)());
  for (let place = 0; place < checks + transactions; place++) {
    for (let plants = below(12); plants > 0; plants--) {
      events.push({
        kind: pick(['down', 'down', 'unknown', 'up'] as const),
        at: at(),
        check: place < checks ? place : place - checks,
        minutes: 1 / 60 + chance() ** 4 * 3 * day,
        ...(place >= checks && { isOfTransaction: true }),
      });
    }
  }
  for (let from = 0; given.losesDays && from < days; from += 3) {
    const copied = (from + chance()) * day;
    events.push(copy(copied), restore(copied + chance() * day, awayFor()));
  }
  return {
    ...{ seed, checks, transactions, version, wire, limits, events },
    isNatural: true,
    minutes: days * day,
    datasets: countersOnly,
  };
}

const versions = ['3.1', '2.1', '2.0'] as const;
const silences: readonly Partial<Wire>[] = [
  { pausesInReports: 'unknown', unknownInReports: 'shown' },
  { pausesInReports: 'absent', unknownInReports: 'absent' },
  { pausesInReports: 'unknown', unknownInReports: 'absent' },
];

/** A week with a random wire; the same seed gives the same one. */
export function drawWeek(seed: number): Script {
  return drawDays({ seed, version: versionOf(seed), days: 7, wire: drawWire(seed) });
}

/**
 * A day as full as three, with a random wire in which reports tell less: they show a pause as an
 * unknown state, or leave an unknown state out until it has ended, or both. Every other one has an
 * owner who changes things.
 */
export function drawFullDay(seed: number): Script {
  const wire = { ...drawWire(seed), ...silences[Math.floor(seed / 3) % silences.length] };
  const hasOwner = seed % 2 === 0;
  return drawDays({ seed, version: versionOf(seed), days: 1, perDay: 36, wire, hasOwner });
}

function versionOf(seed: number): ApiVersion {
  return versions[seed % versions.length] ?? '3.1';
}
