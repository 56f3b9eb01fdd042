import type { MonitoredCheck } from '../../sandbox/src/simulation/monitored-check.ts';
import {
  reportedStates,
  transactionStates,
} from '../../sandbox/src/simulation/transaction-states.ts';
import { errorRanges, rangeLengths } from '../../src/slo/range-seconds.ts';
import { type ItemKind, itemKinds, type StoredItem } from '../../src/store/store.ts';
import type { World } from '../life/world.ts';
import type { Looks } from './counted-truth.ts';
import type { Samples } from './counter-watch.ts';
import { testedIn, unprovenIn } from './given-up.ts';

const day = 86_400;
/** The longest window begins no earlier than this before an item's horizon. */
const longestReach = 31 * day;
const objective = 0.999;

interface Span {
  readonly status: string;
  readonly from: number;
  readonly to: number;
}

/** The errors of the ratios on the page, and the number of compared items. */
interface WindowVerdict {
  readonly compared: number;
  readonly wrong: readonly string[];
}

/**
 * Compares every error ratio, burn rate and budget on the page with the sandbox, second by second.
 * The page may be as old as the last list, so the common end of the windows is searched. `looks`
 * has the times of lists: unknown or paused time of a check without a list may count as up, wholly
 * or partly.
 */
export async function windowVerdict(
  exporter: World,
  samples: Samples,
  looks?: Looks,
): Promise<WindowVerdict> {
  const { items, documents } = await exporter.disk.load('shop');
  const wrong: string[] = [];
  let compared = 0;
  const horizons = itemKinds.flatMap((kind) =>
    [...items[kind].values()].map(({ states }) => states.horizonSeconds),
  );
  const from = Math.min(exporter.now, ...horizons) - longestReach;
  const counters = new Counters(from, exporter.now);
  for (const kind of itemKinds) {
    for (const [id, item] of items[kind]) {
      if (item.goneAtSeconds !== undefined) continue;
      const reported = maintenanceReported(documents.get('maintenance'), kind, id);
      const subject = subjectOf(exporter, kind, id, from);
      if (subject === undefined) continue;
      const shown = kind === 'check' ? looks?.(id) : undefined;
      const unproven = kind === 'check' ? unprovenSpans(exporter, id, item) : [];
      counters.read([...withUnseen(subject.spans, shown), ...unproven], reported);
      const problem = problemOf(samples, kind, id, item, subject, counters, exporter.now);
      if (problem !== undefined) wrong.push(`${kind} ${id} at ${exporter.now}: ${problem}`);
      compared += 1;
    }
  }
  return { compared, wrong };
}

/** Including time in which the check was neither up nor down and no list showed that. */
function withUnseen(spans: readonly Span[], looks: readonly number[] = []): readonly Span[] {
  if (looks.length === 0) return spans;
  const unseen: Span[] = [];
  const add = (from: number, to: number) => {
    const isSeen = looks.some((look) => from <= look && look < to);
    if (from < to && !isSeen) unseen.push({ status: 'unseen', from, to });
  };
  let covered = spans[0]?.from ?? 0;
  for (const { status, from, to } of spans) {
    add(covered, from);
    if (status === 'unknown') add(from, to);
    covered = to;
  }
  return [...spans, ...unseen];
}

/** What may count as unknown in time that was given up. */
function unprovenSpans({ sandbox, now }: World, id: number, { log }: StoredItem): readonly Span[] {
  return (log?.givenUp ?? []).flatMap((gap) => {
    const unproven = unprovenIn(testedIn(sandbox, id, gap, now), gap);
    if (unproven === undefined) return [];
    return { status: 'unseen', from: unproven.fromSeconds, to: unproven.toSeconds };
  });
}

const statuses = ['up', 'down', 'unseen', 'maintenance'] as const;
type Counted = (typeof statuses)[number];

/** Seconds up, down, unseen and under maintenance before any second. */
class Counters {
  readonly #from: number;
  readonly #states: Uint8Array;
  /** The seconds at which a state may begin, counted from the first one, in order. */
  #edges = new Int32Array(0);
  /** The seconds of each state before each edge. */
  #sums: readonly Readonly<Record<Counted, number>>[] = [];

  constructor(from: number, to: number) {
    this.#from = from;
    this.#states = new Uint8Array(to - from);
  }

  read(spans: readonly Span[], maintenance: readonly Omit<Span, 'status'>[]): void {
    const states = this.#states;
    const edges = new Set([0, states.length]);
    const fill = (value: number, span: Omit<Span, 'status'>) => {
      const [from, to] = [span.from, span.to].map((at) =>
        Math.min(Math.max(0, Math.trunc(at - this.#from)), states.length),
      );
      states.fill(value, from, to);
      for (const edge of [from, to]) edges.add(edge ?? 0);
    };
    states.fill(0);
    for (const span of spans) fill(1 + statuses.indexOf(span.status as Counted), span);
    for (const span of maintenance) fill(1 + statuses.indexOf('maintenance'), span);
    this.#edges = Int32Array.from(edges).sort();
    const seconds = { up: 0, down: 0, unseen: 0, maintenance: 0 };
    this.#sums = Array.from(this.#edges, (edge, place) => {
      const sums = { ...seconds };
      const state = this.#stateAt(edge);
      if (state !== undefined) seconds[state] += (this.#edges[place + 1] ?? edge) - edge;
      return sums;
    });
  }

  of(state: Counted, from: number, to: number): number {
    return this.#before(state, to) - this.#before(state, from);
  }

  #before(state: Counted, second: number): number {
    const at = second - this.#from;
    if (!(at >= 0 && at <= this.#states.length)) {
      throw new RangeError(`second ${second} was not read`);
    }
    let [place, end] = [0, this.#edges.length];
    while (end - place > 1) {
      const middle = (place + end) >> 1;
      if ((this.#edges[middle] ?? 0) <= at) place = middle;
      else end = middle;
    }
    const edge = this.#edges[place] ?? 0;
    const since = this.#stateAt(edge) === state ? at - edge : 0;
    return (this.#sums[place]?.[state] ?? 0) + since;
  }

  #stateAt(edge: number): Counted | undefined {
    return statuses[(this.#states[edge] ?? 0) - 1];
  }
}

interface Subject {
  readonly spans: readonly Span[];
  readonly created: number;
  readonly resolution: number;
}

function subjectOf({ sandbox, now }: World, kind: ItemKind, id: number, from: number) {
  const { world, history } = sandbox;
  if (kind === 'check') {
    const check = world.check(id);
    if (check === undefined) return undefined;
    return {
      spans: history.segments(check, from, now, now),
      created: check.created,
      resolution: Math.max(...check.runs.map(({ resolutionSeconds }) => resolutionSeconds)),
    };
  }
  const transaction = world.transactions.find(id);
  if (transaction === undefined) return undefined;
  const range = { from, to: now };
  // The reports of an inactive transaction end with its last run.
  const reported = reportedStates(history, transaction, range, now, world.wire);
  const inactiveAt = transaction.runs.at(-1)?.to ?? Number.POSITIVE_INFINITY;
  const isActive = inactiveAt > now;
  const rest = { from: Math.max(reported.at(-1)?.to ?? 0, activeSince(transaction)), to: now };
  return {
    spans: isActive ? [...reported, ...transactionStates(history, transaction, rest)] : reported,
    created: transaction.createdAt,
    resolution: 86_400,
  };
}

/** A run that follows another at once only has another interval. */
function activeSince({ runs }: Pick<MonitoredCheck, 'runs'>): number {
  const first = runs.findLastIndex(({ from }, place) => runs[place - 1]?.to !== from);
  return runs[first]?.from ?? 0;
}

interface Members {
  readonly checkIds: readonly number[];
  readonly transactionIds: readonly number[];
}

interface Occurrence {
  readonly maintenanceId: number;
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

interface ReportedMaintenance {
  readonly windows?: readonly (Members & { readonly id: number })[];
  readonly occurrences?: readonly Occurrence[];
  readonly ended?: readonly (Members & Occurrence)[];
  readonly unplanned?: readonly (Members & Occurrence)[];
}

/**
 * Maintenance that the exporter has read, also of windows that were moved or deleted since. What
 * was planned later is not excluded yet.
 */
function maintenanceReported(maintenance: unknown, kind: ItemKind, id: number) {
  const known = (maintenance ?? {}) as ReportedMaintenance;
  const { windows = [], occurrences = [], ended = [], unplanned = [] } = known;
  const isOfItem = ({ checkIds, transactionIds }: Members) =>
    (kind === 'check' ? checkIds : transactionIds).includes(id);
  const ofItem = new Set(windows.filter(isOfItem).map((window) => window.id));
  const late = new Set(unplanned.filter(isOfItem).map(keyOf));
  const reported = occurrences
    .filter(({ maintenanceId }) => ofItem.has(maintenanceId))
    .filter((occurrence) => !late.has(keyOf(occurrence)));
  return [...reported, ...ended.filter(isOfItem)].map(({ fromSeconds, toSeconds }) => ({
    from: fromSeconds,
    to: toSeconds,
  }));
}

function keyOf({ maintenanceId, fromSeconds, toSeconds }: Occurrence): string {
  return [maintenanceId, fromSeconds, toSeconds].join(' ');
}

function problemOf(
  samples: Samples,
  kind: ItemKind,
  id: number,
  { states, log }: StoredItem,
  { created, resolution }: Subject,
  truth: Counters,
  now: number,
): string | undefined {
  const shown = (name: string, labels = '') =>
    samples.get(`uptime_${kind}_${name}{account="shop",check_id="${id}"${labels}}`);
  const onPage = errorRanges.map((window) => ({
    window,
    ratio: shown('error_ratio', `,window="${window}"`),
    pace: shown('burn_rate', `,window="${window}"`),
  }));
  const shownLeft = shown('error_budget_remaining_ratio');
  const { knownFromSeconds = 0, changes, tail: awaited } = log ?? {};
  // The start of an open outage may be known before the rest of the past is.
  const recordedFrom = Math.min(knownFromSeconds, changes?.at(0)?.fromSeconds ?? knownFromSeconds);
  const knownFrom = Math.max(created, recordedFrom, awaited?.toSeconds ?? 0);
  const last = Math.min(now, states.horizonSeconds + resolution);
  let [nearest, atHorizon] = ['', ''];
  for (let end = last; end >= states.horizonSeconds; end--) {
    for (const held of [undefined, states.state]) {
      const problem = problemAt(end, held);
      if (problem === undefined) return undefined;
      atHorizon = problem;
      nearest ||= problem;
    }
  }
  return `${nearest} (now), ${atHorizon} (${now - states.horizonSeconds} s ago)`;

  /**
   * With the state of the last known test, which lasts until the next test is due, or without it.
   */
  function problemAt(end: number, held: string | undefined): string | undefined {
    const count = (state: Counted, begin: number) => {
      if (held === undefined) return truth.of(state, begin, end);
      const heldFrom = Math.max(begin, states.horizonSeconds);
      const known = truth.of(state, begin, heldFrom);
      if (held !== state) return known;
      return known + (end - heldFrom) - truth.of('maintenance', heldFrom, end);
    };
    const begins = errorRanges.map((window) => Math.max(created, end - rangeLengths[window]));
    const longestKnown = Math.min(end, ...begins.filter((begin) => begin >= knownFrom));
    const isSparse = count('down', longestKnown) === 0;
    for (const { window, ratio: shownRatio, pace: shownPace } of onPage) {
      const begin = Math.max(created, end - rangeLengths[window]);
      const isKnown = begin >= knownFrom;
      const down = count('down', begin);
      const most = down + count('up', begin) + count('unseen', begin);
      const monitored = down + count('up', begin);
      const isShown = isKnown && (!isSparse || window === '30d');
      const ratio = isShown ? range(down, monitored, most) : nothing;
      const problem = outside(`${window} error ratio`, shownRatio, ratio);
      if (problem !== undefined) return problem;
      const half = rangeLengths[window] / 2;
      const pace =
        isKnown && !isSparse
          ? range(down / (1 - objective), Math.max(monitored, half), Math.max(most, half))
          : nothing;
      const wrongPace = outside(`${window} burn rate`, shownPace, pace);
      if (wrongPace !== undefined) return wrongPace;
      if (window !== '30d') continue;
      const left = ratio.map((one) => (one === undefined ? one : 1 - one / (1 - objective)));
      const wrongLeft = outside('budget', shownLeft, left);
      if (wrongLeft !== undefined) return wrongLeft;
    }
    return undefined;
  }
}

/** The allowed values: the two ends of a range, or none. */
type Range = readonly (number | undefined)[];
const nothing: Range = [undefined];

function range(share: number, least: number, most: number): Range {
  if (most === 0) return nothing;
  return [least === 0 ? undefined : share / least, share / most];
}

function outside(what: string, shown: number | undefined, allowed: Range): string | undefined {
  if (shown === undefined && allowed.includes(undefined)) return undefined;
  const ends = allowed.filter((end) => end !== undefined);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const slack = 1e-9 * Math.max(1, Math.abs(high));
  const isWithin = shown !== undefined && shown >= low - slack && shown <= high + slack;
  return isWithin ? undefined : `${what} ${shown}, not ${allowed.join(' to ')}`;
}
