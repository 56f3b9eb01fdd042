import type { TimeRange } from '../../domain/interval.ts';
import { present } from '../../lib/present.ts';
import { lastDays, type ZonedTimes } from '../../lib/zoned-times.ts';
import type { AccountSnapshot, CheckRow } from '../../state/snapshot.ts';
import { accountCondition } from '../common/account-badge.ts';
import { type Beginning, stateBeginning } from '../common/beginnings.ts';
import { checkItem, type Item, type ItemState, itemPastOf, serviceNow } from '../common/items.ts';
import { isMaintenanceKnown } from '../common/maintenance.tsx';
import { maintenanceOf, outagesOfItem } from '../common/outage-list.ts';
import { addToBars, type PastBar } from '../common/past-bars.ts';
import { hidesChecks, incompleteLists } from '../common/shown-lists.ts';
import { lastReadOf } from '../common/unread-accounts.ts';
import type { AccountStatus, RecordedDay } from '../ports.ts';

/** A page of the configuration that everyone may read. */
export interface PublicPage {
  /** The last part of its path. */
  readonly name: string;
  readonly title: string;
  readonly account: string;
  /** Its checks are the services of the page. */
  readonly group: string;
  /** The public names of checks. A check without one is called by a number. */
  readonly checks?: readonly { readonly id: number; readonly name: string }[];
}

/**
 * `planned_work`: down, or possibly down, as was announced. `unknown`: no probe could test it.
 * `not_known`: what the probes have found cannot be read.
 */
export type PublicState =
  | 'up'
  | 'down'
  | 'unconfirmed_down'
  | 'planned_work'
  | 'unknown'
  | 'not_monitored'
  | 'not_known';

/** A service of a public page, without anything that only operators may know. UNIX seconds. */
export interface PublicService {
  readonly name: string;
  readonly state: PublicState;
  /** Absent if it is not known. */
  readonly since?: Beginning;
  /** It was down when its state was last known. */
  readonly wasDown: boolean;
  /** Oldest first. */
  readonly days: readonly PublicDay[];
}

/** A day of the configured time zone; the last one ends now. */
export interface PublicDay extends PastBar {
  /** The time of the day in which the service existed. */
  readonly livedSeconds: number;
}

export interface PublicOutage {
  readonly service: string;
  readonly fromSeconds: number;
  /** It began at an unknown time before. */
  readonly beganBefore: boolean;
  /** Absent while it goes on, and if its end is not known. */
  readonly toSeconds?: number;
  readonly goesOn: boolean;
  readonly planned: 'none' | 'part' | 'whole';
}

export interface PlannedWork extends TimeRange {
  readonly isUnderWay: boolean;
  /** The names of the services, in the order of the page. */
  readonly services: readonly string[];
}

/** Everything that a public page shows. UNIX seconds of the service's clock. */
export interface PublicStatus {
  readonly title: string;
  readonly nowSeconds: number;
  /** Present if the states are not known: since then, or undefined if they never were. */
  readonly blind?: { readonly sinceSeconds: number | undefined };
  /** Changes are shown late. */
  readonly isLate: boolean;
  /** The state of some services cannot be read. */
  readonly isIncomplete: boolean;
  readonly services: readonly PublicService[];
  readonly furtherServices: number;
  /** The states of all services. Those that are shown come first. */
  readonly states: readonly PublicState[];
  /** The latest first. */
  readonly outages: readonly PublicOutage[];
  readonly furtherOutages: number;
  /**
   * False while outages before the exporter's first day are still being read, or cannot be, and if
   * some services are not shown.
   */
  readonly arePastsKnown: boolean;
  /** What goes on first, then the next; undefined if it is not known. */
  readonly plannedWork: readonly PlannedWork[] | undefined;
}

const maxServices = 100;
const maxOutages = 100;
/** The states of 35 days are stored for all checks; earlier ones come from the records of months. */
const storedDays = 35;
const shownDays = 90;
const servicesPerStep = 16;

interface PublicStatusOptions {
  readonly page: PublicPage;
  readonly status: AccountStatus;
  /** UNIX seconds of this machine's clock. */
  readonly nowSeconds: number;
  readonly time: ZonedTimes;
  /** Awaited after each step of the work. */
  readonly yieldIfDue: () => Promise<void>;
}

/** Returns what a page shows; undefined if its group does not exist. */
export async function publicStatus(
  options: PublicStatusOptions,
): Promise<PublicStatus | undefined> {
  const { page, status, time, yieldIfDue } = options;
  const rows = membersOf(page, status.snapshot);
  if (rows === undefined) return undefined;
  const nowSeconds = Math.floor(serviceNow(status, options.nowSeconds));
  const blind = blindnessOf(status);
  const knownUntil = blind === undefined ? nowSeconds : (blind.sinceSeconds ?? 0);
  const shown = rows.slice(0, maxServices);
  const furtherServices = rows.length - shown.length;
  const lastBegins = lastDays(time, shownDays, nowSeconds);
  const recorded = await recordedOf(status, shown, lastBegins);
  const begins = lastBegins.slice(firstShown(lastBegins, recorded));
  const services: PublicService[] = [];
  const outages: PublicOutage[] = [];
  const states = rows.map(({ row }) => stateOf(checkItem(status, row), blind));
  let arePastsKnown = blind === undefined && furtherServices === 0;
  for (const [place, { row, name }] of shown.entries()) {
    if (place % servicesPerStep === 0) await yieldIfDue();
    const item = checkItem(status, row);
    const days = emptyDays(begins, nowSeconds, item.createdAtSeconds);
    addRecorded(days.slice(0, -storedDays), recorded.get(row.id));
    addToBars(days.slice(-storedDays), item, knownUntil);
    services.push({ name, ...standingOf(item, blind), days });
    outages.push(
      ...outagesOf(item, {
        name,
        fromSeconds: begins.at(-storedDays) ?? 0,
        nowSeconds,
        isBlind: blind !== undefined,
      }),
    );
    arePastsKnown &&= itemPastOf(item)?.isPartial !== true;
  }
  outages.sort((a, b) => b.fromSeconds - a.fromSeconds);
  return {
    title: page.title,
    nowSeconds,
    ...present({ blind }),
    isLate: blind === undefined && accountCondition(status) !== 'ok',
    isIncomplete: incompleteLists(status).includes('checks'),
    services,
    furtherServices,
    states,
    outages: outages.slice(0, maxOutages),
    furtherOutages: Math.max(0, outages.length - maxOutages),
    arePastsKnown,
    plannedWork: plannedWork(status, shown, nowSeconds),
  };
}

interface Member {
  readonly row: CheckRow;
  readonly name: string;
}

/**
 * The checks of the group under their public names: first those with one, in the order of the
 * configuration, then the others by id, whose numbers follow those of all public names, also while a
 * check that has one is not in the group. Undefined if the account is read and has no such group.
 */
function membersOf(
  { group, checks: named = [] }: PublicPage,
  { groups, checks }: AccountSnapshot,
): readonly Member[] | undefined {
  if (checks === undefined) return [];
  const ids = groups?.find(({ name }) => name === group)?.checkIds;
  if (ids === undefined) return undefined;
  const members = new Set(ids);
  const rows = new Map(checks.filter(({ id }) => members.has(id)).map((row) => [row.id, row]));
  const first = named.flatMap(({ id, name }) => {
    const row = rows.get(id);
    rows.delete(id);
    return row === undefined ? [] : [{ row, name }];
  });
  const others = [...rows.values()].sort((a, b) => a.id - b.id);
  const numbered = others.map((row, place) => ({
    row,
    name: `Service ${named.length + place + 1}`,
  }));
  return [...first, ...numbered];
}

/**
 * Since when the check list cannot be read; undefined while the last one is not too old, unless the
 * service does not let the exporter read the account.
 */
function blindnessOf(status: AccountStatus): PublicStatus['blind'] {
  const isRefused = accountCondition(status) === 'unauthorized';
  if (!isRefused && !hidesChecks(status.snapshot)) return undefined;
  return { sinceSeconds: lastReadOf(status, 'checks') };
}

function standingOf(
  item: Item,
  blind: PublicStatus['blind'],
): Pick<PublicService, 'state' | 'since' | 'wasDown'> {
  const state = stateOf(item, blind);
  if (blind !== undefined) return { state, wasDown: item.state === 'down' };
  return { state, ...present({ since: stateBeginning(item) }), wasDown: false };
}

function stateOf({ state, inMaintenance }: Item, blind: PublicStatus['blind']): PublicState {
  if (blind !== undefined) return 'not_known';
  const hasFailed = state === 'down' || state === 'unconfirmed_down';
  return hasFailed && inMaintenance ? 'planned_work' : publicStates[state];
}

const publicStates: { readonly [S in ItemState]: PublicState } = {
  up: 'up',
  down: 'down',
  unconfirmed_down: 'unconfirmed_down',
  unknown: 'unknown',
  paused: 'not_monitored',
};

/** Days in which nothing is known yet. The last one ends now. */
function emptyDays(
  begins: readonly number[],
  nowSeconds: number,
  createdAtSeconds: number = 0,
): PublicDay[] {
  return begins.map((fromSeconds, place) => {
    const toSeconds = begins[place + 1] ?? Math.max(nowSeconds, fromSeconds + 1);
    return {
      fromSeconds,
      toSeconds,
      livedSeconds: Math.max(0, toSeconds - Math.max(fromSeconds, createdAtSeconds)),
      seconds: { up: 0, down: 0, unknown: 0, unmonitored: 0 },
      maintenance: { known: 0, down: 0 },
      notKnown: 0,
    };
  });
}

type Recorded = ReadonlyMap<number, readonly RecordedDay[]>;

/** The recorded days of the checks that begin before the days whose states are stored. */
async function recordedOf(
  { features = [] }: AccountStatus,
  members: readonly Member[],
  [first = 0, ...begins]: readonly number[],
): Promise<Recorded> {
  const ids = new Set(members.map(({ row }) => row.id));
  const range = { fromSeconds: first, toSeconds: begins.at(-storedDays) ?? first };
  const found = await Promise.all(features.map((one) => one.recordedDays?.(ids, range) ?? []));
  return new Map(found.flatMap((recorded) => [...recorded]));
}

/** The place of the first day of which anything is recorded, or of the first stored one. */
function firstShown(begins: readonly number[], recorded: Recorded): number {
  const firstStored = begins.length - storedDays;
  const firstOfEach = [...recorded.values()].flatMap(
    (own) => own.find(({ up, down }) => up + down > 0)?.fromSeconds ?? [],
  );
  const first = Math.min(...firstOfEach);
  const place = begins.findIndex((begin) => begin >= first);
  return place === -1 ? firstStored : Math.min(place, firstStored);
}

function addRecorded(days: readonly PublicDay[], recorded: readonly RecordedDay[] = []): void {
  const byBegin = new Map(recorded.map((day) => [day.fromSeconds, day]));
  for (const { fromSeconds, seconds } of days) {
    const { up = 0, down = 0 } = byBegin.get(fromSeconds) ?? {};
    seconds.up += up;
    seconds.down += down;
  }
}

interface OutagesOptions {
  readonly name: string;
  readonly fromSeconds: number;
  readonly nowSeconds: number;
  readonly isBlind: boolean;
}

function outagesOf(
  item: Item,
  { name, nowSeconds, isBlind, ...since }: OutagesOptions,
): PublicOutage[] {
  const shown = { fromSeconds: since.fromSeconds, toSeconds: Number.POSITIVE_INFINITY };
  return outagesOfItem(item, shown, nowSeconds).map(({ outage }) => {
    const { fromSeconds, toSeconds, beganBefore, endsLater } = outage;
    return {
      service: name,
      fromSeconds,
      beganBefore: beganBefore === true,
      ...(toSeconds !== undefined && endsLater !== true && { toSeconds }),
      goesOn: toSeconds === undefined && !isBlind,
      planned: maintenanceOf(item, outage),
    };
  });
}

function plannedWork(
  status: AccountStatus,
  members: readonly Member[],
  nowSeconds: number,
): readonly PlannedWork[] | undefined {
  const { maintenance } = status.snapshot;
  if (maintenance === undefined || !isMaintenanceKnown(status)) return undefined;
  const planned = maintenance.windows.flatMap(({ id, checkIds }): PlannedWork[] => {
    const span = maintenance.next.get(id);
    if (span === undefined || span.toSeconds <= nowSeconds) return [];
    const affected = new Set(checkIds);
    const services = members.filter(({ row }) => affected.has(row.id)).map(({ name }) => name);
    if (services.length === 0) return [];
    const { fromSeconds, toSeconds } = span;
    return [{ fromSeconds, toSeconds, isUnderWay: maintenance.activeIds.has(id), services }];
  });
  return planned.sort(
    (a, b) => Number(b.isUnderWay) - Number(a.isUnderWay) || a.fromSeconds - b.fromSeconds,
  );
}
