import {
  reportedStates,
  transactionStates,
} from '../../src/sandbox/simulation/transaction-states.ts';
import type { StoredItem } from '../../src/store/store.ts';
import { errorWindows, windowLengths } from '../../src/windows/window-seconds.ts';
import type { Samples } from './counter-watch.ts';
import type { RestartableExporter } from './restartable-exporter.ts';

const day = 86_400;
const reach = 36 * day;
const objective = 0.999;

type Kind = 'check' | 'transaction';

interface Span {
  readonly status: string;
  readonly from: number;
  readonly to: number;
}

/** What is wrong with the ratios on the page, if anything; and how many items were compared. */
export interface WindowVerdict {
  readonly compared: number;
  readonly wrong: readonly string[];
}

/**
 * Compares every error ratio, burn rate and budget on the page with what the sandbox was, second by second. The page
 * may be as old as the last reading of the list, so that the windows' common end is looked for.
 */
export async function windowVerdict(
  exporter: RestartableExporter,
  samples: Samples,
  kinds: readonly Kind[] = ['check', 'transaction'],
): Promise<WindowVerdict> {
  const { items, documents } = await exporter.disk.load('shop');
  const wrong: string[] = [];
  let compared = 0;
  const counters = new Counters(exporter.now);
  for (const kind of kinds) {
    for (const [id, item] of items[kind]) {
      const told = maintenanceTold(documents.get('maintenance'), kind, id);
      const subject = subjectOf(exporter, kind, id);
      if (subject === undefined) continue;
      counters.read(subject.spans, told);
      const problem = problemOf(samples, kind, id, item, subject, counters, exporter.now);
      if (problem !== undefined) wrong.push(`${kind} ${id} at ${exporter.now}: ${problem}`);
      compared += 1;
    }
  }
  return { compared, wrong };
}

/** Seconds up and down before each second. */
class Counters {
  readonly #from: number;
  readonly #states: Uint8Array;
  readonly #sums: Readonly<Record<'up' | 'down', Int32Array>>;

  constructor(now: number) {
    this.#from = now - reach;
    this.#states = new Uint8Array(reach);
    this.#sums = { up: new Int32Array(reach + 1), down: new Int32Array(reach + 1) };
  }

  read(spans: readonly Span[], maintenance: readonly Omit<Span, 'status'>[]): void {
    const fill = (value: number, { from, to }: Omit<Span, 'status'>) =>
      this.#states.fill(value, Math.max(0, from - this.#from), Math.max(0, to - this.#from));
    this.#states.fill(0);
    for (const span of spans) {
      if (span.status === 'up' || span.status === 'down') fill(span.status === 'up' ? 1 : 2, span);
    }
    for (const span of maintenance) fill(0, span);
    const { up, down } = this.#sums;
    for (let at = 0; at < reach; at++) {
      const state = this.#states[at];
      up[at + 1] = (up[at] ?? 0) + (state === 1 ? 1 : 0);
      down[at + 1] = (down[at] ?? 0) + (state === 2 ? 1 : 0);
    }
  }

  of(state: 'up' | 'down', from: number, to: number): number {
    const sums = this.#sums[state];
    return (sums[to - this.#from] ?? 0) - (sums[from - this.#from] ?? 0);
  }
}

interface Subject {
  readonly spans: readonly Span[];
  readonly created: number;
  readonly resolution: number;
}

function subjectOf({ sandbox, now }: RestartableExporter, kind: Kind, id: number) {
  const { world, history } = sandbox;
  if (kind === 'check') {
    const check = world.check(id);
    if (check === undefined) return undefined;
    return {
      spans: history.segments(check, now - reach, now, now),
      created: check.created,
      resolution: Math.max(...check.runs.map(({ resolutionSeconds }) => resolutionSeconds)),
    };
  }
  const transaction = world.transactions.find(id);
  if (transaction === undefined) return undefined;
  const range = { from: now - reach, to: now };
  // Where a transaction was made inactive, its reports end with the run before.
  const reported = reportedStates(history, transaction, range, now, { documentForms: new Set() });
  const isActive = transaction.runs.at(-1)?.to === undefined;
  const rest = { from: reported.at(-1)?.to ?? range.from, to: now };
  return {
    spans: isActive ? [...reported, ...transactionStates(history, transaction, rest)] : reported,
    created: transaction.createdAt,
    resolution: 86_400,
  };
}

interface ToldMaintenance {
  readonly windows?: readonly {
    readonly id: number;
    readonly checkIds: readonly number[];
    readonly transactionIds: readonly number[];
  }[];
  readonly occurrences?: readonly {
    readonly maintenanceId: number;
    readonly startAtSeconds: number;
    readonly endAtSeconds: number;
  }[];
}

/** What the exporter was told of maintenance: what the service has planned since is not left out yet. */
function maintenanceTold(maintenance: unknown, kind: Kind, id: number) {
  const { windows = [], occurrences = [] } = (maintenance ?? {}) as ToldMaintenance;
  const ofItem = new Set(
    windows
      .filter(({ checkIds, transactionIds }) =>
        (kind === 'check' ? checkIds : transactionIds).includes(id),
      )
      .map((window) => window.id),
  );
  return occurrences
    .filter(({ maintenanceId }) => ofItem.has(maintenanceId))
    .map(({ startAtSeconds, endAtSeconds }) => ({ from: startAtSeconds, to: endAtSeconds }));
}

function problemOf(
  samples: Samples,
  kind: Kind,
  id: number,
  { states, history }: StoredItem,
  { created, resolution }: Subject,
  truth: Counters,
  now: number,
): string | undefined {
  const shown = (name: string, labels = '') =>
    samples.get(`uptime_${kind}_${name}{account="shop",check_id="${id}"${labels}}`);
  const knownFrom = Math.max(created, history?.knownFromSeconds ?? 0);
  const last = Math.min(now, states.horizonSeconds + resolution);
  let nearest = '';
  for (let end = last; end >= states.horizonSeconds; end--) {
    const problem = problemAt(end);
    if (problem === undefined) return undefined;
    nearest ||= problem;
  }
  return nearest;

  function problemAt(end: number): string | undefined {
    const monthBegin = Math.max(created, end - windowLengths['30d']);
    const isSparse = truth.of('down', Math.max(monthBegin, knownFrom), end) === 0;
    for (const window of errorWindows) {
      const begin = Math.max(created, end - windowLengths[window]);
      const label = `,window="${window}"`;
      const ratio = shown('error_ratio', label);
      const burn = shown('burn_rate', label);
      const isKnown = begin >= knownFrom;
      const [up, down] = [truth.of('up', begin, end), truth.of('down', begin, end)];
      const isTold = isKnown && up + down > 0 && (!isSparse || window === '30d');
      const wanted = isTold ? down / (up + down) : undefined;
      if (!same(ratio, wanted)) return `${window} error ratio ${ratio}, not ${wanted}`;
      const pace = down / Math.max(up + down, windowLengths[window] / 2) / (1 - objective);
      const wantedBurn = isKnown && !isSparse ? pace : undefined;
      if (!same(burn, wantedBurn)) return `${window} burn rate ${burn}, not ${wantedBurn}`;
      if (window !== '30d') continue;
      const left = shown('error_budget_remaining_ratio');
      const wantedLeft = wanted === undefined ? undefined : 1 - wanted / (1 - objective);
      if (!same(left, wantedLeft)) return `budget ${left}, not ${wantedLeft}`;
    }
    return undefined;
  }
}

function same(a: number | undefined, b: number | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b));
}
