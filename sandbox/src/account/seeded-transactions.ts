import { hashUnit } from '../lib/hash.ts';
import { day, minute } from '../lib/instant.ts';
import { present } from '../lib/present.ts';
import type { History } from '../simulation/history.ts';
import { lastTestIndex, testTime } from '../simulation/monitored-check.ts';
import {
  kindOfSteps,
  type Step,
  type TransactionSettings,
  transactionIntervals,
  transactionRegionNames,
} from './transaction-settings.ts';
import { type SandboxTransaction, typicalMilliseconds } from './transactions.ts';

/** The steps of a transaction of the seeded account. */
interface TransactionScript {
  readonly name: string;
  readonly tags: readonly string[];
  readonly steps: readonly Step[];
  /** Only for a recording. */
  readonly metadata?: NonNullable<TransactionSettings['metadata']>;
}

const shop = 'https://shop.example.com';

const transactionScripts: readonly TransactionScript[] = [
  {
    name: 'Log in as "demo"',
    tags: ['login', 'team_web'],
    steps: [
      { fn: 'go_to', args: { url: `${shop}/login` } },
      { fn: 'fill', args: { input: 'email', value: 'demo@example.com' } },
      { fn: 'fill', args: { input: 'password', value: 'demo' } },
      { fn: 'submit', args: { form: '#login' } },
      { fn: 'wait_for_contains', args: { element: 'h1', value: 'Welcome back' } },
    ],
  },
  {
    name: 'Buy as a guest',
    tags: ['checkout', 'team_payments'],
    steps: [
      { fn: 'wpm_go_to', args: { url: shop } },
      { fn: 'wpm_click', args: { element: 'a.product', offsetX: '12', offsetY: '8' } },
      { fn: 'wpm_select_dropdown', args: { select: '#size', option: 'M' } },
      { fn: 'wpm_click', args: { element: '#add-to-cart', offsetX: '40', offsetY: '10' } },
      { fn: 'wpm_wait', args: { seconds: '2' } },
      {
        fn: 'wpm_contains_timeout',
        args: {
          element: '#cart',
          value: '1 item',
          waitTime: '5000',
          useRegularExpression: 'false',
        },
      },
    ],
    metadata: { width: 1280, height: 720, disableWebSecurity: false },
  },
  {
    name: 'Search, filter & sort',
    tags: ['search', 'team_search'],
    steps: [
      { fn: 'go_to', args: { url: `${shop}/search` } },
      { fn: 'fill', args: { input: 'q', value: 'lamp' } },
      { fn: 'click', args: { element: 'Search' } },
      { fn: 'select', args: { select: 'sort', option: 'Price' } },
      { fn: 'sleep', args: { seconds: '1' } },
      { fn: 'not_contains', args: { element: '#results', value: 'Nothing found' } },
    ],
  },
  {
    name: 'Subscribe to the newsletter',
    tags: ['newsletter'],
    steps: [
      { fn: 'go_to', args: { url: `${shop}/newsletter` } },
      { fn: 'check', args: { checkbox: 'agree' } },
      { fn: 'select_radio', args: { radio: 'weekly' } },
      { fn: 'is_checked', args: { checkbox: 'agree' } },
      { fn: 'submit', args: { form: 'newsletter' } },
      { fn: 'url', args: { url: `${shop}/thanks` } },
    ],
  },
  {
    name: 'Open the back office',
    tags: ['admin', 'team_platform'],
    steps: [
      { fn: 'basic_auth', args: { username: 'admin', password: 'demo' } },
      { fn: 'go_to', args: { url: `${shop}/admin` } },
      { fn: 'exists', args: { element: '#orders' } },
      { fn: 'not_exists', args: { element: '.error' } },
    ],
  },
];

/**
 * Seven digits, so that transactions and checks never share an identifier, which selects the
 * history.
 */
export const firstTransactionId = 3_000_001;
const maxIdGap = 400;
const intervals = transactionIntervals.slice(0, 4);
const maxFailingInterval = 10;

const draw = { id: 71, age: 72, phase: 73, stability: 74, region: 75, interval: 76 } as const;

interface SeededTransactionsOptions {
  readonly seed: number;
  readonly count: number;
  /** UNIX seconds. */
  readonly startedAt: number;
  /** The recipients of alerts. */
  readonly contactIds: readonly number[];
  readonly teamIds: readonly number[];
  readonly lateTestSeconds: number;
}

/** The transactions of an account: a function of its arguments. */
export function makeTransactions(options: SeededTransactionsOptions): SandboxTransaction[] {
  const made: SandboxTransaction[] = [];
  let id = firstTransactionId;
  for (let position = 0; position < options.count; position++) {
    id += Math.floor(hashUnit(options.seed, position, draw.id) * maxIdGap);
    made.push(makeTransaction(options, position, id));
    id += 1;
  }
  return made;
}

/** In every account one transaction fails at the start and one is inactive; in large ones more. */
function transactionScenarioAt(position: number): 'failing' | 'inactive' | undefined {
  if (position === 1 || position % 40 === 21) return 'failing';
  if (position === 2 || position % 25 === 12) return 'inactive';
  return undefined;
}

/** Sets the current state of the seeded transactions according to their roles. */
export function plantTransactionScenarios(
  history: History,
  transactions: readonly SandboxTransaction[],
  startedAt: number,
): void {
  for (const [position, { id, runs }] of transactions.entries()) {
    const run = runs[0];
    if (run === undefined || transactionScenarioAt(position) === 'inactive') continue;
    const last = testTime(run, lastTestIndex(run, startedAt));
    const calm = { checkId: id, from: last - 120 * minute, to: last + 20 * minute };
    history.plant({ ...calm, status: 'up' });
    if (transactionScenarioAt(position) === 'failing') {
      history.plant({ ...calm, status: 'down', from: last - 2 * run.resolutionSeconds });
    }
  }
}

function makeTransaction(
  { seed, startedAt, contactIds, teamIds, lateTestSeconds }: SeededTransactionsOptions,
  position: number,
  id: number,
): SandboxTransaction {
  const chance = (what: number) => hashUnit(seed, id, what);
  const role = transactionScenarioAt(position);
  const journey = pick(transactionScripts, position);
  const round = Math.floor(position / transactionScripts.length);
  const drawn = pick(intervals, Math.floor(chance(draw.interval) * intervals.length));
  const interval = role === 'failing' && drawn > maxFailingInterval ? 5 : drawn;
  const createdAt = startedAt - Math.floor((30 + 300 * chance(draw.age)) * day);
  const modifiedAt = role === 'inactive' ? startedAt - 2 * day : createdAt;
  const resolutionSeconds = interval * minute;
  const phaseSeconds = Math.floor(chance(draw.phase) * resolutionSeconds);
  const run = { from: createdAt, resolutionSeconds, phaseSeconds, lateSeconds: lateTestSeconds };
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
      ...present({ metadata: journey.metadata }),
      name: round === 0 ? journey.name : `${journey.name} ${round + 1}`,
      region: pick(
        transactionRegionNames,
        Math.floor(chance(draw.region) * transactionRegionNames.length),
      ),
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
