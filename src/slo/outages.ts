import type { CheckTag, CheckType } from '../domain/check.ts';
import { plainEqual } from '../lib/plain-equal.ts';
import { present } from '../lib/present.ts';
import {
  type Flapping,
  type FlappingEvidence,
  type FlappingLimits,
  flappingAfter,
  isFlapping,
} from './flapping.ts';

/** A closed outage is shown as 0 for this time, in seconds. */
export const overSeconds = 86_400;

/** Label values by name. */
export type LabelValues = Readonly<Record<string, string>>;

/** The data from which the labels of an item are made. */
export interface LabelSources {
  readonly name: string;
  readonly tags: readonly CheckTag[];
  readonly hostname?: string;
  readonly type?: CheckType;
  /** The values of promoted labels; absent when the configuration promotes none. */
  readonly promoted?: LabelValues;
}

/** Labels of alerts. They stay the same while an outage is open, because a changed label would make another alert. */
export interface AlertLabels {
  /** `low` if the service reports it, otherwise `high`. */
  readonly importance: 'high' | 'low';
  /** Empty if the service does not report it. */
  readonly hostname: string;
}

/** The last outage of an item, and its flapping. Times are UNIX seconds. */
export interface Outage {
  readonly labels: LabelSources;
  readonly alertLabels: AlertLabels;
  readonly open: boolean;
  /** Its start by the list or by a report; only while it is open. */
  readonly sinceSeconds?: number;
  /** When a list first showed it. Only while it is open and its start is unknown. */
  readonly seenAtSeconds?: number;
  /** When it was closed; absent while it is open, and after 24 hours. */
  readonly overAtSeconds?: number;
  /** When the last outages were first shown, oldest first; as many as flapping needs. */
  readonly openedAtSeconds?: readonly number[];
  readonly flapping?: Flapping;
}

/** An outage whose item was removed or relabelled: only the 0 of the closed outage is shown, with the old labels. */
export interface RemovedOutage {
  readonly id: number;
  readonly labels: LabelSources;
  readonly alertLabels: AlertLabels;
  /** It was also shown as flapping. */
  readonly hasFlapped?: true;
  readonly untilSeconds: number;
}

/** The open outages, and those closed within 24 hours; immutable. */
export interface Outages {
  readonly items: ReadonlyMap<number, Outage>;
  readonly former: readonly RemovedOutage[];
  /** A complete list was read, so an item that is not in `items` has no outage. */
  readonly isKnown: boolean;
}

export const noOutages: Outages = { items: new Map(), former: [], isKnown: false };

/** The state of one item in a list or the maintenance calendar. `unsure` (unknown or unconfirmed) changes nothing. */
export interface OutageEvidence extends FlappingEvidence {
  readonly id: number;
  readonly labels: LabelSources;
  readonly alertLabels: AlertLabels;
  /** The start of the outage of an item that is down; undefined if neither the list nor a report shows it. */
  readonly sinceSeconds?: number | undefined;
}

interface OutageReadings {
  readonly readings: Iterable<OutageEvidence>;
  /** Removed items. */
  readonly gone?: Iterable<number>;
  /** All items of the account were read. */
  readonly isComplete?: boolean;
}

/** Applies the states of a moment, and drops outages that closed 24 hours ago. The same object when nothing changed. */
export function outagesAfter(
  before: Outages,
  { readings, gone = [], isComplete = false }: OutageReadings,
  nowSeconds: number,
  limits: FlappingLimits,
): Outages {
  const changes = new OutageChanges(before, nowSeconds);
  for (const reading of readings) {
    const known = before.items.get(reading.id);
    changes.set(reading.id, outageAfter(known, reading, nowSeconds, limits));
  }
  for (const id of gone) changes.set(id, undefined);
  return changes.finish(before.isKnown || isComplete);
}

/** Applies the promoted labels of a changed configuration; the same object when none changed. */
export function relabelled(
  before: Outages,
  promotedOf: (labels: LabelSources) => LabelValues | undefined,
  nowSeconds: number,
): Outages {
  const changes = new OutageChanges(before, nowSeconds);
  for (const [id, outage] of before.items) {
    const promoted = promotedOf(outage.labels);
    if (plainEqual(promoted, outage.labels.promoted)) continue;
    changes.set(id, { ...outage, labels: present({ ...outage.labels, promoted }) });
  }
  return changes.finish(before.isKnown);
}

/** Closes everything that was shown, with its last labels. */
export function removedOutages(
  { items, former }: Outages,
  nowSeconds: number,
): readonly RemovedOutage[] {
  return [...former, ...[...items].map(([id, outage]) => removedOutage(id, outage, nowSeconds))];
}

/** UNIX seconds at which the next closed outage expires; Infinity when there is none. */
export function nextExpirySeconds({ items, former }: Pick<Outages, 'items' | 'former'>): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { untilSeconds } of former) next = Math.min(next, untilSeconds);
  for (const { overAtSeconds, flapping } of items.values()) {
    for (const overAt of [overAtSeconds, flapping?.overAtSeconds]) {
      if (overAt !== undefined) next = Math.min(next, overAt + overSeconds);
    }
  }
  return next;
}

/** Collects the changes of a moment. It closes outages under labels that are no longer shown. */
class OutageChanges {
  readonly #before: Outages;
  readonly #nowSeconds: number;
  readonly #items: Map<number, Outage>;
  readonly #former: RemovedOutage[];
  #isSame: boolean;

  constructor(before: Outages, nowSeconds: number) {
    this.#before = before;
    this.#nowSeconds = nowSeconds;
    this.#items = new Map(before.items);
    this.#former = before.former.filter(({ untilSeconds }) => untilSeconds > nowSeconds);
    this.#isSame = this.#former.length === before.former.length;
  }

  set(id: number, next: Outage | undefined): void {
    const known = this.#items.get(id);
    if (next === known) return;
    this.#isSame = false;
    if (known !== undefined && (next === undefined || !isLabelledAlike(known, next))) {
      this.#former.push(removedOutage(id, known, this.#nowSeconds));
    }
    if (next === undefined) this.#items.delete(id);
    else this.#items.set(id, next);
  }

  finish(isKnown: boolean): Outages {
    for (const [id, outage] of this.#items) {
      const kept = unexpired(outage, this.#nowSeconds);
      if (kept === outage) continue;
      this.#isSame = false;
      if (kept === undefined) this.#items.delete(id);
      else this.#items.set(id, kept);
    }
    const isSame = this.#isSame && isKnown === this.#before.isKnown;
    return isSame ? this.#before : { items: this.#items, former: this.#former, isKnown };
  }
}

function outageAfter(
  known: Outage | undefined,
  reading: OutageEvidence,
  nowSeconds: number,
  limits: FlappingLimits,
): Outage | undefined {
  const next = openAfter(known, reading, nowSeconds);
  if (next === undefined) return undefined;
  let { openedAtSeconds, flapping } = next;
  if (next.open && known?.open !== true) {
    openedAtSeconds = [...(openedAtSeconds ?? []), nowSeconds].slice(-limits.outages);
    if (flapping?.active !== true && isFlapping(openedAtSeconds, limits))
      flapping = { active: true };
  }
  flapping = flappingAfter(flapping, reading, nowSeconds, limits);
  const isSame = openedAtSeconds === next.openedAtSeconds && flapping === next.flapping;
  return isSame ? next : present({ ...next, openedAtSeconds, flapping });
}

function openAfter(
  known: Outage | undefined,
  { labels, alertLabels, state, sinceSeconds }: OutageEvidence,
  nowSeconds: number,
): Outage | undefined {
  const kept = known && (plainEqual(known.labels, labels) ? known : { ...known, labels });
  if (state === 'unsure') return kept;
  if (state !== 'down') {
    if (kept?.open !== true) return kept;
    const { sinceSeconds: _, seenAtSeconds: __, ...ended } = kept;
    return { ...ended, open: false, overAtSeconds: nowSeconds };
  }
  const since = sinceSeconds ?? (kept?.open ? kept.sinceSeconds : undefined);
  if (kept?.open && kept.sinceSeconds === since) return kept;
  const isFrozen = kept?.open === true || kept?.flapping?.active === true;
  const { overAtSeconds: _, seenAtSeconds: __, ...former } = kept ?? {};
  return {
    ...former,
    labels,
    alertLabels: isFrozen ? kept.alertLabels : alertLabels,
    open: true,
    ...(since === undefined ? { seenAtSeconds: nowSeconds } : { sinceSeconds: since }),
  };
}

/** Drops parts that ended 24 hours ago. Undefined when nothing is left, the same object when nothing has expired. */
function unexpired(outage: Outage, nowSeconds: number): Outage | undefined {
  const isExpired = (overAt: number | undefined) =>
    overAt !== undefined && overAt + overSeconds <= nowSeconds;
  const { overAtSeconds, flapping, ...rest } = outage;
  const [hasEnded, hasSettled] = [isExpired(overAtSeconds), isExpired(flapping?.overAtSeconds)];
  if (!hasEnded && !hasSettled) return outage;
  const kept = {
    overAtSeconds: hasEnded ? undefined : overAtSeconds,
    flapping: hasSettled ? undefined : flapping,
  };
  const isShown = outage.open || kept.overAtSeconds !== undefined || kept.flapping !== undefined;
  return isShown ? present({ ...rest, ...kept }) : undefined;
}

function removedOutage(
  id: number,
  { labels, alertLabels, open, overAtSeconds = 0, flapping }: Outage,
  nowSeconds: number,
): RemovedOutage {
  const endedAt = open ? nowSeconds : overAtSeconds;
  const settledAt = flapping?.active ? nowSeconds : (flapping?.overAtSeconds ?? 0);
  return {
    ...{ id, labels, alertLabels },
    ...(flapping !== undefined && { hasFlapped: true }),
    untilSeconds: Math.max(endedAt, settledAt) + overSeconds,
  };
}

/** Returns whether both are shown as the same series. */
function isLabelledAlike(a: Outage, b: Outage): boolean {
  return (
    a.labels.name === b.labels.name &&
    plainEqual(a.labels.promoted, b.labels.promoted) &&
    plainEqual(a.alertLabels, b.alertLabels)
  );
}
