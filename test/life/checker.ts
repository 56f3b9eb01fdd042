import type { ReadRequest } from '../../src/api/reader.ts';
import { defaultConcurrency } from '../../src/config/account.ts';
import type { Life, Watcher } from './script.ts';
import {
  type Look,
  outagesBegun,
  type Range,
  type Seconds,
  type Span,
  type State,
  secondsIn,
  secondsOutside,
  states,
  Truth,
  unseenSeconds,
} from './truth.ts';

const minute = 60;
const day = 86_400;
const objective = 0.999;
const reserve = 0.2;
/** Maintenance is read this often at least, and a change of it may not be known before. */
const maintenanceIsKnownAfter = 40 * minute;
/** A list that shows an outage waits for maintenance at most this long before it is shown. */
const appliedWithin = 12;
/** The requests of an account that are under way at the same time, by default. */
const mostUnderWay = defaultConcurrency;
/** So many broken promises are enough. */
const mostBroken = 5;
const windows = {
  '5m': 300,
  '30m': 1_800,
  '1h': 3_600,
  '2h': 7_200,
  '6h': 21_600,
  '1d': day,
  '3d': 3 * day,
  '7d': 7 * day,
  '30d': 30 * day,
} as const;

type Samples = ReadonlyMap<string, number>;

export interface Listed {
  readonly name: string;
  readonly status: string;
  readonly tags: readonly string[];
}

/** The outage of a check as the lists have shown it. */
interface ListedOutage {
  open: boolean;
  /** When the check was first shown down, in UNIX seconds. */
  opened: number[];
  /** When it was closed. */
  over?: number;
  flapping: boolean;
  upSince?: number;
  /** Until then, the page may differ: what lists said may not have been kept, or not been known. */
  unsureUntil: number;
}

/** Checks every promise of a page against the truth, after each step of a life. */
export class Checker implements Watcher {
  readonly broken: string[] = [];
  readonly #life: Life;
  readonly #truth: Truth;
  /** UNIX seconds from which each check is counted. */
  readonly #starts = new Map<number, number>();
  /** What each list that was read showed of each check. */
  readonly #looks = new Map<number, Look[]>();
  readonly #outages = new Map<number, ListedOutage>();
  readonly #maintenanceBefore = new Map<number, Range[]>();
  readonly #answered = new Set<string>();
  readonly #missingSince = new Map<number, number>();
  #listed: ReadonlyMap<number, Listed> = new Map();
  #listedAt = Number.NEGATIVE_INFINITY;
  /** `outage_open` and `flapping` of each check on the page. */
  #shown: ReadonlyMap<string, number> = new Map();
  #isPageOf = '';
  #lastChecked = 0;
  #toldRemaining = Number.POSITIVE_INFINITY;
  #toldAt = 0;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(life: Life) {
    this.#life = life;
    this.#truth = new Truth(life.world.sandbox);
    for (const id of life.ids) this.#truth.check(id);
  }

  get isOver(): boolean {
    return this.broken.length >= mostBroken;
  }

  get #now(): number {
    return this.#life.world.now;
  }

  asked({ operation, path, query }: ReadRequest): void {
    const { limits } = this.#life.world.sandbox;
    const { remaining, resetSeconds } = limits.reading('short');
    const [limit] = this.#life.script.limits ?? [400];
    const isToldInThisWindow = this.#now - this.#toldAt < resetSeconds;
    const isProbe = this.#now - this.#askedAt >= 3_600;
    if (
      isToldInThisWindow &&
      Math.max(remaining, this.#toldRemaining) <= Math.floor(limit * reserve) - 10 &&
      !isProbe
    ) {
      this.#isBroken('reserve', `${operation} is asked with ${remaining} of ${limit} left`);
    }
    const key = `${path}?${JSON.stringify(query)}`;
    // Three ranges are one refresh, which is repeated when one of them fails.
    if (
      operation !== 'get_average' &&
      this.#answered.has(key) &&
      query !== undefined &&
      'to' in query
    ) {
      this.#isBroken('asked twice', key);
    }
    this.#askedAt = this.#now;
  }

  read({ operation, path, query }: ReadRequest, body: unknown): void {
    const now = this.#now;
    this.#toldRemaining = this.#life.world.sandbox.limits.reading('short').remaining;
    this.#toldAt = now;
    // An array instead of an object is a fault on the way, and no answer.
    if (query !== undefined && 'from' in query && !Array.isArray(body)) {
      this.#answered.add(`${path}?${JSON.stringify(query)}`);
    }
    if (operation !== 'list_checks') return;
    const list = entriesOf(body);
    if (list === undefined) return;
    const shownAt = this.#life.world.sandbox.world.lags.asOf('list_checks', 0, now);
    this.#listedAt = now;
    for (const id of this.#life.ids) {
      const listed = list.get(id);
      if (listed === undefined) this.#missing(id, now);
      else {
        this.#missingSince.delete(id);
        this.#looksAt(id).push({ at: shownAt, state: stateOf(listed.status) });
        this.#listOne(id, listed.status, now);
      }
    }
    this.#listed = list;
  }

  ended(): void {
    for (const outage of this.#outages.values()) {
      // A list of the last seconds may have been shown and lost.
      if (this.#now - this.#listedAt < 2 * minute) outage.unsureUntil = this.#now + 25 * 3_600;
    }
    this.#toldRemaining = Number.POSITIVE_INFINITY;
  }

  maintenanceChanges(deletedWindow: number | undefined): void {
    for (const id of this.#life.ids) this.#maintenanceBefore.set(id, this.#truth.maintenance(id));
    if (deletedWindow !== undefined) this.#truth.windowIsDeleted(deletedWindow, this.#now);
  }

  async check(): Promise<void> {
    const { world } = this.#life;
    const page = await world.get('/metrics');
    if (page === this.#isPageOf && this.#now - this.#lastChecked < 15 * minute) return;
    this.#isPageOf = page;
    this.#lastChecked = this.#now;
    const samples = this.#parsed(page);
    for (const { sample, from, to } of world.watch.backsteps.splice(0)) {
      this.#isBroken('counter falls', `${sample} from ${from} to ${to}`);
    }
    await this.#readStarts();
    for (const id of this.#life.ids) {
      const start = this.#starts.get(id);
      this.#checkGauges(samples, page, id);
      if (start === undefined || this.#missingSince.has(id)) continue;
      const horizon = this.#checkCounters(samples, id, start);
      if (horizon !== undefined) this.#checkRatios(samples, id, horizon);
    }
    this.#checkOpen(samples);
    this.#checkRecentOutages(page);
  }

  /** The start of a check's counters never changes. */
  async #readStarts(): Promise<void> {
    if (this.#life.ids.every((id) => this.#starts.has(id))) return;
    const { items } = await this.#life.world.disk.load('shop');
    for (const [
      id,
      {
        states: { startSeconds },
      },
    ] of items.check)
      this.#starts.set(id, startSeconds);
  }

  async checkAtEnd(): Promise<void> {
    await this.check();
    const { world } = this.#life;
    const samples = this.#parsed(await world.get('/metrics'));
    const { items } = await world.disk.load('shop');
    for (const id of this.#life.ids) {
      if (world.sandbox.world.check(id) === undefined) continue;
      const item = items.check.get(id);
      if (item === undefined) {
        this.#isBroken('missing', `check ${id} is not stored`);
        continue;
      }
      const late = this.#now - item.states.horizonSeconds;
      const resolution = 60 * (this.#truth.check(id).resolutionMinutes ?? 1);
      if (late > resolution + 45 * minute) this.#isBroken('late', `check ${id} by ${late} s`);
      if (sampleOf(samples, 'check_error_ratio', id, ',window="30d"') === undefined) {
        this.#isBroken('absent', `the error ratio of check ${id}`);
      }
    }
    const { events } = this.#life.script;
    const isRefused = events.some(
      (event) => event.kind === 'fault' && event.fault.startsWith('limit-exceeded'),
    );
    // Only a response tells that another client has spent the window: what is under way is refused.
    const most = mostUnderWay * events.filter(({ kind }) => kind === 'drought').length;
    // The script modifies checks with requests of its own.
    const refusals = world.sandbox.journal.recent.filter(
      ({ operation, status }) => status === 429 && operation !== 'modify_check',
    ).length;
    if (!isRefused && refusals > most) this.#isBroken('429', `${refusals} times`);
    await this.#checkStrips();
  }

  /** The last day of each check, as its strip shows it. */
  async #checkStrips(): Promise<void> {
    const { accounts } = JSON.parse(await this.#life.world.get('/status.json')) as {
      readonly accounts: readonly {
        readonly checks?: {
          readonly last_24_hours: readonly {
            readonly id: number;
            readonly spans: readonly (Range & { readonly state: string })[];
          }[];
        };
      }[];
    };
    for (const { id, spans } of accounts[0]?.checks?.last_24_hours ?? []) {
      const [first, last] = [spans[0], spans.at(-1)];
      if (first === undefined || last === undefined) continue;
      const truth = this.#truth.spans(id, { from: first.from, to: last.to }, this.#now);
      for (const span of spans) {
        const { down } = secondsIn(truth, span);
        const expected = span.state === 'down' ? span.to - span.from : 0;
        if (down !== expected) {
          const shown = `${span.state} from ${span.from} to ${span.to}`;
          this.#isBroken('strip', `check ${id} ${shown}, of which ${down} s down`);
        }
      }
    }
  }

  /** The samples of a page, by name and labels but the name of the check. No label set occurs twice. */
  #parsed(page: string): Samples {
    const seen = new Set<string>();
    const own = new Map<string, number>();
    for (const line of page.split('\n')) {
      if (line === '' || line.startsWith('#')) continue;
      const end = line.lastIndexOf(' ');
      const sample = line.slice(0, end);
      const value = Number(line.slice(end + 1));
      if (seen.has(sample)) this.#isBroken('label set twice', sample);
      if (Number.isNaN(value)) this.#isBroken('not a number', line);
      seen.add(sample);
      const [, kind, id] =
        /^uptime_check_(outage_open|flapping)\{.*check_id="(\d+)"/.exec(sample) ?? [];
      if (kind === undefined) continue;
      // A renamed check has its former name with 0 as well.
      const key = `${kind} ${id}`;
      own.set(key, Math.max(value, own.get(key) ?? 0));
    }
    this.#shown = own;
    return this.#life.world.watch.scraped(page);
  }

  /** Returns the time until which the check is counted on the page. */
  #checkCounters(samples: Samples, id: number, start: number): number | undefined {
    const shown = (state: string) =>
      sampleOf(samples, 'check_state_seconds_total', id, `,state="${state}"`);
    const outages = sampleOf(samples, 'check_outages_total', id);
    const counted = states.map(shown);
    const [up = 0, downSeconds, unknown = 0, unmonitored = 0] = counted;
    if (downSeconds === undefined) return undefined;
    const horizon = start + up + downSeconds + unknown + unmonitored;
    const range = { from: start, to: horizon };
    const spans = this.#truth.spans(id, range, this.#now);
    const truth = secondsIn(spans, range);
    const page = { up, down: downSeconds, unknown, unmonitored };
    const isRight =
      downSeconds === truth.down &&
      (['unknown', 'unmonitored'] as const).every((state) => {
        const missed = truth[state] - page[state];
        const early = state === 'unmonitored' ? this.#secondsBeforePauses(id, spans, range) : 0;
        return missed >= -early && missed <= unseenSeconds(spans, range, state, this.#looksAt(id));
      });
    if (!isRight) this.#isBroken('seconds', `check ${id} ${text(page)}, not ${text(truth)}`);
    const begun = outagesBegun(spans, range);
    if (outages !== begun) this.#isBroken('outages', `check ${id} ${outages}, not ${begun}`);
    return horizon;
  }

  /** Every error ratio and the budget, at one end of the windows. */
  #checkRatios(samples: Samples, id: number, horizon: number): void {
    const check = this.#truth.check(id);
    const shown = Object.entries(windows).flatMap(([window, length]) => {
      const ratio = sampleOf(samples, 'check_error_ratio', id, `,window="${window}"`);
      const burn = sampleOf(samples, 'check_burn_rate', id, `,window="${window}"`);
      return ratio === undefined && burn === undefined ? [] : [{ window, length, ratio, burn }];
    });
    if (shown.length === 0) return;
    const budget = sampleOf(samples, 'check_error_budget_remaining_ratio', id);
    const from = horizon - 31 * day;
    const spans = this.#truth.spans(id, { from, to: this.#now }, this.#now);
    const resolution = Math.max(...check.runs.slice(-2).map((run) => run.resolutionSeconds));
    const early = this.#secondsBeforePauses(id, spans, { from, to: this.#now });
    const last = Math.min(this.#now, horizon + resolution);
    let nearest = '';
    for (const without of this.#maintenanceOf(id)) {
      for (let end = last; end >= horizon; end--) {
        for (const held of [spans, holding(spans, horizon, end)]) {
          const problem = problemAt(end, held, without);
          if (problem === undefined) return;
          nearest ||= problem;
        }
      }
    }
    this.#isBroken('ratio', `check ${id} ${nearest}`);

    function problemAt(end: number, of: readonly Span[], without: readonly Range[]) {
      for (const { window, length, ratio, burn } of shown) {
        const range = { from: Math.max(check.created, end - length), to: end };
        const seconds = secondsOutside(of, range, without);
        const monitored = seconds.up + seconds.down;
        const unseen = seconds.unknown + seconds.unmonitored;
        const ofMonitored = window === '30d' ? (ratio ?? budget) : ratio;
        if (monitored === 0 && ofMonitored !== undefined) {
          return `${window} error ratio ${ratio}, though it was neither up nor down`;
        }
        const isIn = (value: number | undefined, least: number, most: number, share: number) =>
          value === undefined ||
          (value <= share / Math.max(1, least) + 1e-9 && value >= share / Math.max(1, most) - 1e-9);
        if (!isIn(ratio, monitored - early, monitored + unseen, seconds.down)) {
          return `${window} error ratio ${ratio}, not ${seconds.down}/${monitored}`;
        }
        const half = length / 2;
        const spent = seconds.down / (1 - objective);
        if (
          !isIn(burn, Math.max(half, monitored - early), Math.max(half, monitored + unseen), spent)
        ) {
          return `${window} burn rate ${burn}, not ${spent}/${Math.max(half, monitored)}`;
        }
        if (window === '30d' && budget !== undefined && ratio !== undefined) {
          const left = 1 - ratio / (1 - objective);
          if (Math.abs(left - budget) > 1e-9) return `budget ${budget}, not ${left}`;
        }
      }
      return undefined;
    }
  }

  /**
   * A report that ends with the last test does not show until when a check was up that is paused
   * now. So up to one interval of tests before each pause may count as paused.
   */
  #secondsBeforePauses(id: number, spans: readonly Span[], range: Range): number {
    const longest = Math.max(...this.#truth.check(id).runs.map((run) => run.resolutionSeconds));
    const pauses = spans.filter(
      ({ state, from }, place) =>
        state === 'unmonitored' && place > 0 && from > range.from && from < range.to,
    );
    return pauses.length * longest;
  }

  /** What the list shows of a check. */
  #checkGauges(samples: Samples, page: string, id: number): void {
    const since = this.#missingSince.get(id);
    if (since !== undefined) {
      if (this.#now - since < 10 * minute) return;
      const rest = page
        .split('\n')
        .filter((line) => line.includes(`check_id="${id}"`))
        .filter((line) => !/^uptime_check_(?:outage_open|flapping)\{.* 0$/.test(line));
      if (rest[0] !== undefined) this.#isBroken('removed', rest[0]);
      return;
    }
    if (this.#now - this.#listedAt < appliedWithin) return;
    const listed = this.#listed.get(id);
    const up = sampleOf(samples, 'check_up', id);
    if (listed === undefined) return;
    const expected = { up: 1, down: 0, unconfirmed_down: 0 }[listed.status];
    if (up !== undefined && up !== expected) {
      this.#isBroken('up', `check ${id} ${up}, listed as ${listed.status}`);
    }
    const isFresh = this.#now - this.#listedAt < 2 * minute;
    if (up === undefined && expected !== undefined && isFresh) {
      this.#isBroken('up', `check ${id} is absent, listed as ${listed.status}`);
    }
    this.#checkOutage(samples, id);
  }

  #checkOutage(samples: Samples, id: number): void {
    const outage = this.#outages.get(id);
    const open = this.#shown.get(`outage_open ${id}`);
    const start = sampleOf(samples, 'check_outage_start_timestamp_seconds', id);
    if (start !== undefined) {
      // The list has the start of the service's own outage, which a new resolution divides.
      const { history } = this.#life.world.sandbox;
      const listed = history.outages(this.#truth.check(id), this.#now - 36 * day, this.#now);
      const starts = Array.from(listed, (one) => one.start);
      if (!starts.includes(start)) {
        this.#isBroken('start', `check ${id} down since ${start}, not ${starts.join()}`);
      }
    }
    if (outage === undefined || outage.unsureUntil > this.#now) return;
    if ((open === 1) !== outage.open) {
      this.#isBroken('open', `check ${id} ${open}, not ${Number(outage.open)}`);
    }
    const flapping = this.#shown.get(`flapping ${id}`);
    if ((flapping === 1) !== outage.flapping) {
      this.#isBroken('flapping', `check ${id} ${flapping}, not ${Number(outage.flapping)}`);
    }
  }

  #checkOpen(samples: Samples): void {
    const shown = samples.get('uptime_outages_open{account="shop",kind="check"}');
    if (shown === undefined) return;
    let open = 0;
    for (const [key, value] of this.#shown) if (key.startsWith('outage_open')) open += value;
    if (open !== shown) this.#isBroken('outages_open', `${shown}, but ${open} are open`);
  }

  /** One beginning is one outage, and its beginning and its end are those of the service. */
  #checkRecentOutages(page: string): void {
    const seen = new Set<string>();
    const lines = page.split('\n');
    /** Whether the page shows an outage whose end it does not know. */
    const waits = (id: string, { start }: { readonly start: number }) =>
      lines.some(
        (line) =>
          line.startsWith('uptime_recent_outage_end_') &&
          line.includes(`check_id="${id}"`) &&
          line.includes(`outage="${start}",beginning="exact",ending="after"`),
      );
    for (const line of lines) {
      const [, edge, id = '', at, beginning, ending, value] =
        /^uptime_recent_outage_(start|end)_.*check_id="(\d+)".*,outage="(\d+)",beginning="(\w+)",ending="(\w+)".* (\d+)$/.exec(
          line,
        ) ?? [];
      if (edge === undefined) continue;
      const what = `check ${id}, ${edge} ${value}, ${beginning} ${at}, ending ${ending}`;
      const key = `${edge} ${id} ${at}`;
      if (seen.has(key)) this.#isBroken('outage twice', what);
      seen.add(key);
      const from = this.#now - 36 * day;
      const range = { from, to: this.#now };
      const whole = this.#truth.outages(Number(id), range);
      const divided = this.#truth.dividedOutages(Number(id), range);
      // Until a report shows that an outage went on, the list shows the part after a change.
      const later = divided.filter(({ start }) =>
        whole.some((one) => one.start < start && start <= (one.end ?? this.#now) && waits(id, one)),
      );
      const outages = [...whole, ...later];
      const outage = outages.find(({ start, end = this.#now }) =>
        beginning === 'exact'
          ? start === Number(at)
          : start <= Number(at) && Number(at) <= end + 15 * minute,
      );
      const end = outage?.end ?? this.#now;
      const isRight =
        edge === 'start' || (ending === 'after' ? Number(value) <= end : Number(value) === end);
      if (outage === undefined || !isRight) {
        this.#isBroken('recent outage', `${what}, not ${JSON.stringify(outage ?? outages)}`);
      }
    }
  }

  /** The maintenance of a check; if it has just changed, that before as well. */
  #maintenanceOf(id: number): readonly (readonly Range[])[] {
    const present = this.#truth.maintenance(id);
    const before = this.#maintenanceBefore.get(id);
    const isKnown = this.#now - this.#life.maintenanceChangedAt > maintenanceIsKnownAfter;
    return before === undefined || isKnown ? [present] : [present, before];
  }

  #looksAt(id: number): Look[] {
    const looks = this.#looks.get(id) ?? [];
    this.#looks.set(id, looks);
    return looks;
  }

  #missing(id: number, now: number): void {
    if (!this.#missingSince.has(id)) this.#missingSince.set(id, now);
    this.#outages.delete(id);
  }

  /** Follows the outage of a check through the lists, as an operator would. */
  #listOne(id: number, status: string, now: number): void {
    const outage = this.#outages.get(id) ?? {
      open: false,
      opened: [],
      flapping: false,
      unsureUntil: 0,
    };
    this.#outages.set(id, outage);
    const isIn = this.#maintenanceOf(id).map((ranges) =>
      ranges.some(({ from, to }) => from <= now && now < to),
    );
    const hasMaintenance = this.#maintenanceOf(id).some((ranges) => ranges.length > 0);
    // Maintenance closes an outage when it begins, without a list, and is learnt with a delay.
    if (hasMaintenance) outage.unsureUntil = Math.max(outage.unsureUntil, now + 90);
    const isEnded = status === 'paused' || isIn.every(Boolean);
    if (isEnded) {
      outage.open = false;
      outage.flapping = false;
      outage.opened = [];
      delete outage.upSince;
      return;
    }
    if (status === 'down') {
      if (!outage.open) outage.opened.push(now);
      outage.open = true;
      delete outage.upSince;
      const third = outage.opened.at(-3);
      if (third !== undefined && now - third <= 3_600) outage.flapping = true;
      return;
    }
    if (status !== 'up') {
      delete outage.upSince;
      return;
    }
    outage.open = false;
    outage.upSince ??= now;
    const failed = this.#truth.check(id);
    const { history, world } = this.#life.world.sandbox;
    const lastError = history.lastErrorTime(failed, now, world.wire.lastErrors) ?? 0;
    if (lastError > outage.upSince) outage.upSince = now;
    if (now - outage.upSince >= 1_800) outage.flapping = false;
  }

  #isBroken(promise: string, what: string): void {
    const minutes = ((this.#now - this.#life.begin) / minute).toFixed(1);
    this.broken.push(`${promise} at minute ${minutes}: ${what}`);
  }
}

function sampleOf(samples: Samples, name: string, id: number, labels = ''): number | undefined {
  return samples.get(`uptime_${name}{account="shop",check_id="${id}"${labels}}`);
}

function stateOf(status: string): State | undefined {
  if (status === 'paused') return 'unmonitored';
  return states.find((state) => state === status);
}

/** The entries of a complete list; undefined if the response is not one. */
export function entriesOf(body: unknown): ReadonlyMap<number, Listed> | undefined {
  const { checks } = (body ?? {}) as { readonly checks?: unknown };
  if (!Array.isArray(checks)) return undefined;
  const entries = new Map<number, Listed>();
  for (const entry of checks as {
    readonly id: unknown;
    readonly name: unknown;
    status: unknown;
    readonly tags?: unknown;
  }[]) {
    const { name, status, tags } = entry ?? {};
    const id = Number(entry?.id);
    if (!Number.isInteger(id) || typeof status !== 'string') return undefined;
    const tagNames = Array.isArray(tags) ? tags.map((tag: { name: unknown }) => `${tag.name}`) : [];
    entries.set(id, { name: `${name}`, status: status.toLowerCase(), tags: tagNames });
  }
  return entries;
}

/** The state of the last known test lasts until the next one is due. */
function holding(spans: readonly Span[], horizon: number, end: number): Span[] {
  const known = spans.filter(({ from }) => from < horizon);
  const last = known.at(-1);
  if (last === undefined) return known;
  return [...known.slice(0, -1), { ...last, to: Math.max(horizon, end) }];
}

function text(seconds: Seconds): string {
  return states.map((state) => `${state} ${seconds[state]}`).join(' ');
}
