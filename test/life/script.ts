import type { FaultName } from '../../sandbox/src/faults/faults.ts';
import type { Wire } from '../../sandbox/src/wire.ts';
import type { ReadRequest } from '../../src/api/reader.ts';
import { codeOf } from '../../src/lib/error-text.ts';
import { hashUnit } from '../../src/lib/random.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { planMaintenance } from '../support/plan-maintenance.ts';
import { World } from './world.ts';

const minute = 60;
const day = 86_400;

/** One event of a life; `at` and `minutes` are minutes, `check` is a place in the list of checks. */
export type LifeEvent =
  | { readonly kind: 'down' | 'unknown'; at: number; check: number; minutes: number }
  | { readonly kind: 'pause' | 'faster' | 'slower'; at: number; check: number; minutes: number }
  | { readonly kind: 'rename' | 'remove'; at: number; check: number }
  /** Created at `at`; begins later and lasts for some time. */
  | { readonly kind: 'maintenance'; at: number; check: number; begins: number; minutes: number }
  /** The latest window lasts for this long, or is removed. */
  | { readonly kind: 'edit'; at: number; minutes: number }
  | { readonly kind: 'cancel'; at: number }
  | {
      readonly kind: 'fault';
      at: number;
      minutes: number;
      readonly fault: FaultName;
      readonly operation?: string | undefined;
    }
  | { readonly kind: 'full' | 'away' | 'crash'; at: number; minutes: number }
  /** The process is killed during the commit with this number, before or after it is durable. */
  | { readonly kind: 'doom'; at: number; minutes: number; commits: number; durable: boolean }
  | { readonly kind: 'reload' | 'drought'; at: number }
  /** The clock of the machine steps. */
  | { readonly kind: 'step'; at: number; readonly seconds: number };

export interface Script {
  readonly seed?: number;
  readonly checks?: number;
  /** Minutes; by default until 20 minutes after the last event. */
  readonly minutes?: number;
  readonly wire?: Partial<Wire>;
  /** Requests in an hour and in 30 days. */
  readonly limits?: readonly [short: number, long: number];
  readonly events: readonly LifeEvent[];
}

/** An outage, or a time of unknown results. */
export const down = (check: number, at: number, minutes: number): LifeEvent => ({
  kind: 'down',
  at,
  check,
  minutes,
});
export const unknown = (check: number, at: number, minutes: number): LifeEvent => ({
  kind: 'unknown',
  at,
  check,
  minutes,
});
export const pause = (check: number, at: number, minutes: number): LifeEvent => ({
  kind: 'pause',
  at,
  check,
  minutes,
});
/** The check is tested every minute, or every 15 minutes, for a while. */
export const faster = (check: number, at: number, minutes: number): LifeEvent => ({
  kind: 'faster',
  at,
  check,
  minutes,
});
export const slower = (check: number, at: number, minutes: number): LifeEvent => ({
  kind: 'slower',
  at,
  check,
  minutes,
});
export const rename = (check: number, at: number): LifeEvent => ({ kind: 'rename', at, check });
export const remove = (check: number, at: number): LifeEvent => ({ kind: 'remove', at, check });
export const maintenance = (
  check: number,
  at: number,
  begins: number,
  minutes: number,
): LifeEvent => ({ kind: 'maintenance', at, check, begins, minutes });
export const edit = (at: number, minutes: number): LifeEvent => ({ kind: 'edit', at, minutes });
export const cancel = (at: number): LifeEvent => ({ kind: 'cancel', at });
export const fault = (
  name: FaultName,
  at: number,
  minutes: number,
  operation?: string,
): LifeEvent => ({ kind: 'fault', at, minutes, fault: name, operation });
export const full = (at: number, minutes: number): LifeEvent => ({ kind: 'full', at, minutes });
export const away = (at: number, minutes: number): LifeEvent => ({ kind: 'away', at, minutes });
export const crash = (at: number, minutes: number): LifeEvent => ({ kind: 'crash', at, minutes });
export const doom = (
  at: number,
  commits: number,
  durable: boolean,
  minutes: number,
): LifeEvent => ({ kind: 'doom', at, commits, durable, minutes });
export const reload = (at: number): LifeEvent => ({ kind: 'reload', at });
export const drought = (at: number): LifeEvent => ({ kind: 'drought', at });
export const step = (at: number, seconds: number): LifeEvent => ({ kind: 'step', at, seconds });

/** The result of a played script. */
export interface Played {
  /** Each promise that was broken, with the time. */
  readonly broken: readonly string[];
  readonly requests: number;
  /** Everything that happened. */
  readonly events: readonly string[];
}

/** Not a whole second, because clocks of machines have none. */
const startMilliseconds = Date.UTC(2026, 0, 5, 12) + 437;
const resolutions = [1, 1, 5, 1, 15];

/** Sees everything that happens in a life, and notes each promise that is broken. */
export interface Watcher {
  readonly broken: readonly string[];
  /** Enough promises are broken. */
  readonly isOver: boolean;
  /** The exporter wants to send a request. */
  asked(request: ReadRequest): void;
  /** The exporter has read a response. */
  read(request: ReadRequest, body: unknown): void;
  /** The process has ended: its last lists may be lost. */
  ended(): void;
  /** The maintenance of the account is about to change; a window may be deleted. */
  maintenanceChanges(deletedWindow: number | undefined): void;
  /** The exporter runs. Called after each event, and every few minutes. */
  check(): Promise<void>;
  /** When nothing is owed any more. */
  checkAtEnd(): Promise<void>;
}

/** Plays a script. */
export async function play(script: Script, watcherOf: (life: Life) => Watcher): Promise<Played> {
  const life = new Life(script);
  const checker = watcherOf(life);
  life.watchedBy(checker);
  await life.start();
  const actions = script.events.flatMap((event) => life.actionsOf(event));
  actions.sort((a, b) => a.at - b.at);
  const end = life.begin + life.minutes * minute;
  for (let draws = 0; life.world.now < end && !checker.isOver; draws++) {
    const pace = 60 + Math.floor(hashUnit(life.seed, 5, draws) * 600);
    const next = Math.min(end, actions[0]?.at ?? end, life.world.now + pace);
    await life.pass(Math.max(1, next - life.world.now));
    while (actions[0] !== undefined && actions[0].at <= life.world.now) {
      await actions.shift()?.act();
    }
    if (life.world.running) await checker.check();
  }
  if (!checker.isOver) {
    await life.settle();
    await checker.checkAtEnd();
  }
  await life.world.stop();
  const { sandbox, events } = life.world;
  return { broken: checker.broken, requests: sandbox.journal.total, events: events.lines };
}

interface Action {
  readonly at: number;
  readonly act: () => Promise<void>;
}

/** The world of a script, and what has been done to it. */
export class Life {
  readonly world: World;
  readonly seed: number;
  readonly minutes: number;
  readonly script: Script;
  /** UNIX seconds. */
  readonly begin: number;
  /** The last change of the maintenance windows, in UNIX seconds. */
  maintenanceChangedAt = Number.NEGATIVE_INFINITY;
  readonly ids: readonly number[];
  #checker: Watcher | undefined;
  /** Commits until the process is killed. */
  #doom = Number.POSITIVE_INFINITY;
  #isDurable = false;
  #awayMinutes = 0;
  /** UNIX seconds. */
  #spentUntil = 0;
  #renames = 0;
  #reloads = 0;

  constructor(script: Script) {
    const { seed = 1, checks = 5, wire = {}, limits = [400, 72_000], events } = script;
    this.script = script;
    this.seed = seed;
    const ends = events.map((event) => event.at + ('minutes' in event ? event.minutes : 0));
    this.minutes = script.minutes ?? Math.max(0, ...ends) + 20;
    this.world = World.inMemory({
      seed,
      checks,
      transactions: 0,
      wire,
      startMilliseconds,
      shortLimit: limits[0],
      longLimit: limits[1],
      moments: {
        before: async () => (this.#isDoomed() && !this.#isDurable ? 'crash' : 'go on'),
        after: async () => (this.#doom <= 0 && this.#isDurable ? 'crash' : 'go on'),
      },
      onRequest: (request) => this.#checker?.asked(request),
      onRead: (request, body) => this.#checker?.read(request, body),
    });
    this.begin = this.world.now;
    this.ids = this.world.sandbox.world.checks.map(({ id }) => id);
    this.#plant();
  }

  watchedBy(checker: Watcher): void {
    this.#checker = checker;
  }

  async start(): Promise<void> {
    await this.world.start();
  }

  /** Advances. A process that was killed meanwhile starts again some minutes later. */
  async pass(seconds: number): Promise<void> {
    await this.world.pass(seconds);
    if (this.world.running) return;
    this.#doom = Number.POSITIVE_INFINITY;
    await this.#down(() => this.world.crash(), this.#awayMinutes);
  }

  /** All faults end; then all that is owed is read. */
  async settle(): Promise<void> {
    this.world.sandbox.faults.clear();
    this.world.disk.failWith(undefined);
    this.#doom = Number.POSITIVE_INFINITY;
    if (!this.world.running) await this.world.start();
    const spentSeconds = Math.max(0, this.#spentUntil - this.world.now);
    await this.world.pass(spentSeconds + 40 * minute);
  }

  actionsOf(event: LifeEvent): Action[] {
    const { sandbox, disk, machineClock } = this.world;
    const at = this.begin + Math.round(event.at * minute);
    const later = 'minutes' in event ? at + Math.round(event.minutes * minute) : at;
    const act = (run: () => unknown, when = at): Action => ({
      at: when,
      act: async () => {
        await run();
      },
    });
    const id = 'check' in event ? this.#idOf(event.check) : 0;
    const change = (body: object) =>
      sandbox.world.check(id) === undefined
        ? undefined
        : this.#change('PUT', `/checks/${id}`, body);
    const isListed = () => sandbox.world.check(id) !== undefined;
    switch (event.kind) {
      case 'down':
      case 'unknown':
        return [];
      case 'pause':
        return [act(() => change({ paused: true })), act(() => change({ paused: false }), later)];
      case 'faster':
      case 'slower': {
        const usual = sandbox.world.check(id)?.resolutionMinutes ?? 1;
        const resolution = event.kind === 'faster' ? 1 : 15;
        return [act(() => change({ resolution })), act(() => change({ resolution: usual }), later)];
      }
      case 'rename':
        return [act(() => change({ name: `Renamed ${++this.#renames}` }))];
      case 'remove':
        return [act(() => isListed() && this.#change('DELETE', `/checks/${id}`))];
      case 'maintenance':
        return [act(() => this.#maintain(id, at + event.begins * minute, event.minutes))];
      case 'edit':
        return [act(() => this.#edit(event.minutes))];
      case 'cancel':
        return [act(() => this.#edit(undefined))];
      case 'fault': {
        let injected = 0;
        const { fault: kind, operation } = event;
        const order = { kind, ...(operation !== undefined && { operation }) };
        return [
          act(() => {
            injected = sandbox.faults.inject(order);
          }),
          act(() => sandbox.faults.clear(injected), later),
        ];
      }
      case 'full':
        return [
          act(() => disk.failWith(new StoreError('full', 'no space is left on the device'))),
          act(() => disk.failWith(undefined), later),
        ];
      case 'away':
        return [act(() => this.#down(() => this.world.stop(), event.minutes))];
      case 'crash':
        return [act(() => this.#down(() => this.world.crash(), event.minutes))];
      case 'doom':
        return [
          act(() => {
            this.#doom = event.commits;
            this.#isDurable = event.durable;
            this.#awayMinutes = event.minutes;
          }),
        ];
      case 'reload':
        return [act(() => this.world.reload({ concurrency: 1 + (++this.#reloads % 3) }))];
      case 'drought':
        return [act(() => this.#spend())];
      case 'step':
        return [act(() => machineClock.stepWall(event.seconds * 1000))];
    }
  }

  /** A user changes something, unless the wire, the limits or a fault refuse it. */
  async #change(method: 'PUT' | 'DELETE', path: string, body?: object): Promise<void> {
    try {
      await this.world.change(method, path, body);
    } catch (error) {
      const isReset = codeOf(error) === 'ECONNRESET';
      if (!isReset && !/: (?:401|403|429) /.test(`${error}`)) throw error;
    }
  }

  /** Another client spends what is left of the short window. */
  #spend(): void {
    const { limits } = this.world.sandbox;
    const { remaining, resetSeconds } = limits.reading('short');
    limits.otherClientSpends(remaining);
    this.#spentUntil = this.world.now + resetSeconds;
  }

  #isDoomed(): boolean {
    this.#doom -= 1;
    return this.#doom <= 0;
  }

  async #down(end: () => Promise<void>, minutes: number): Promise<void> {
    await end();
    this.#checker?.ended();
    await this.world.pass(Math.max(1, minutes * minute));
    await this.world.start();
    await this.world.page();
    await this.world.pass(3);
  }

  /** Only planted events happen, and each check is tested at an odd second. */
  #plant(): void {
    const { world } = this.world.sandbox;
    for (const { id } of world.maintenance.windows.all) world.maintenance.remove(id);
    const created = this.begin - 40 * day;
    const until = this.begin + this.minutes * minute + 10 * day;
    for (const [place, check] of world.checks.entries()) {
      const minutes = resolutions[place % resolutions.length] ?? 1;
      const resolutionSeconds = minutes * minute;
      const pausedAt = this.#pausedAtFirstSight(check.id);
      const run = {
        from: created,
        resolutionSeconds,
        phaseSeconds: (7 + 13 * place) % 60,
        ...(pausedAt !== undefined && { to: pausedAt }),
      };
      world.registry.put({ ...check, created, resolutionMinutes: minutes, runs: [run] });
      world.plant({ checkId: check.id, status: 'up', from: created, to: until });
    }
    for (const event of this.script.events) {
      if (event.kind !== 'down' && event.kind !== 'unknown') continue;
      const from = this.begin + Math.round(event.at * minute);
      const to = from + Math.max(1, Math.round(event.minutes * minute));
      world.plant({ checkId: this.#idOf(event.check), status: event.kind, from, to });
    }
  }

  /** When a check was paused that is paused at the beginning of the life. */
  #pausedAtFirstSight(id: number): number | undefined {
    const pauses = this.script.events.flatMap((event) =>
      event.kind === 'pause' && event.at < 0 && this.#idOf(event.check) === id ? event.at : [],
    );
    return pauses[0] === undefined ? undefined : this.begin + Math.round(pauses[0] * minute);
  }

  #idOf(place: number): number {
    return this.ids[place % this.ids.length] ?? 0;
  }

  #maintain(id: number, from: number, minutes: number): void {
    const to = from + minutes * minute;
    this.#changeMaintenance(undefined, () =>
      planMaintenance(this.world.sandbox.world, { from, to, uptimeids: [id] }),
    );
  }

  #edit(minutes: number | undefined): void {
    const { maintenance: schedule } = this.world.sandbox.world;
    const last = schedule.windows.all.at(-1);
    if (last === undefined) return;
    const deleted = minutes === undefined ? last.id : undefined;
    this.#changeMaintenance(deleted, () => {
      if (minutes === undefined) return schedule.remove(last.id);
      const to = Math.max(last.from + minute, last.from + minutes * minute);
      return schedule.replace({ ...last, to, effectiveto: to }, this.world.now);
    });
  }

  #changeMaintenance(deletedWindow: number | undefined, change: () => unknown): void {
    this.#checker?.maintenanceChanges(deletedWindow);
    change();
    this.maintenanceChangedAt = this.world.now;
  }
}
