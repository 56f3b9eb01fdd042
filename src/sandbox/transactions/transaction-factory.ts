import { hashUnit } from '../../lib/random.ts';
import type { History } from '../history.ts';
import { lastTestIndex, testTime } from '../monitored-check.ts';
import { journeys } from './journeys.ts';
import { kindOfSteps } from './step.ts';
import type { Transaction } from './transaction.ts';
import { regions, transactionIntervals } from './transaction-settings.ts';
import { typicalMilliseconds } from './transactions.ts';

const day = 86_400;
const minute = 60;
/** Seven digits, so that no transaction and no check share an identifier and with it a history. */
export const firstTransactionId = 3_000_001;
const largestIdGap = 400;
const intervals = transactionIntervals.slice(0, 4);
const longestFailingInterval = 10;

const draw = { id: 71, age: 72, phase: 73, stability: 74, region: 75, interval: 76 } as const;

export interface TransactionFactoryOptions {
  readonly seed: number;
  readonly count: number;
  /** UNIX seconds. */
  readonly startedAt: number;
  /** Who is alerted. */
  readonly contactIds: readonly number[];
  readonly teamIds: readonly number[];
}

/** The transactions of an account: a function of its arguments. */
export function makeTransactions(options: TransactionFactoryOptions): Transaction[] {
  const made: Transaction[] = [];
  let id = firstTransactionId;
  for (let position = 0; position < options.count; position++) {
    id += Math.floor(hashUnit(options.seed, position, draw.id) * largestIdGap);
    made.push(makeTransaction(options, position, id));
    id += 1;
  }
  return made;
}

/** In every account one transaction fails at the start and one is inactive; in large ones some more. */
export function roleOf(position: number): 'failing' | 'inactive' | undefined {
  if (position === 1 || position % 40 === 21) return 'failing';
  if (position === 2 || position % 25 === 12) return 'inactive';
  return undefined;
}

/** Makes the present state of the seeded transactions be their role's. */
export function plantTransactionRoles(
  history: History,
  transactions: readonly Transaction[],
  startedAt: number,
): void {
  for (const [position, { id, runs }] of transactions.entries()) {
    const run = runs[0];
    if (run === undefined || roleOf(position) === 'inactive') continue;
    const last = testTime(run, lastTestIndex(run, startedAt));
    const calm = { checkId: id, from: last - 120 * minute, to: last + 20 * minute };
    history.plant({ ...calm, status: 'up' });
    if (roleOf(position) === 'failing') {
      history.plant({ ...calm, status: 'down', from: last - 2 * run.resolutionSeconds });
    }
  }
}

function makeTransaction(
  { seed, startedAt, contactIds, teamIds }: TransactionFactoryOptions,
  position: number,
  id: number,
): Transaction {
  const chance = (what: number) => hashUnit(seed, id, what);
  const role = roleOf(position);
  const journey = pick(journeys, position);
  const round = Math.floor(position / journeys.length);
  const drawn = pick(intervals, Math.floor(chance(draw.interval) * intervals.length));
  const interval = role === 'failing' && drawn > longestFailingInterval ? 5 : drawn;
  const createdAt = startedAt - Math.floor((30 + 300 * chance(draw.age)) * day);
  const modifiedAt = role === 'inactive' ? startedAt - 2 * day : createdAt;
  const resolutionSeconds = interval * minute;
  const phaseSeconds = Math.floor(chance(draw.phase) * resolutionSeconds);
  const run = { from: createdAt, resolutionSeconds, phaseSeconds };
  return {
    id,
    kind: kindOfSteps(journey.steps),
    createdAt,
    modifiedAt,
    stability: chance(draw.stability) < 0.5 ? 'steady' : 'ordinary',
    typicalResponseMilliseconds: typicalMilliseconds(id, journey.steps.length),
    runs: role === 'inactive' ? [{ ...run, to: modifiedAt }] : [run],
    settings: {
      active: role !== 'inactive',
      contact_ids: contactIds.slice(0, 1 + (position % 2)),
      custom_message: '',
      integration_ids: [],
      interval,
      ...(journey.metadata !== undefined && { metadata: journey.metadata }),
      name: round === 0 ? journey.name : `${journey.name} ${round + 1}`,
      region: pick(regions, Math.floor(chance(draw.region) * regions.length)),
      send_notification_when_down: 1,
      severity_level: position % 3 === 2 ? 'low' : 'high',
      steps: [...journey.steps],
      tags: [...journey.tags],
      team_ids: teamIds.slice(0, 1),
    },
  };
}

function pick<T>(from: readonly T[], position: number): T {
  return from[position % from.length] as T;
}
