import type { CheckTag, CheckType } from '../domain/check.ts';
import { plainEqual } from '../lib/plain-equal.ts';
import { present } from '../lib/present.ts';
import {
  type Flapping,
  type FlappingLimits,
  type FlappingReading,
  flappingAfter,
  isFlapping,
} from './flapping.ts';

/** For so long after its end an outage is shown to be over. */
export const overSeconds = 86_400;

/** Label values by name. */
export type LabelValues = Readonly<Record<string, string>>;

/** What the labels of an item were made from. */
export interface LabelSources {
  readonly name: string;
  readonly tags: readonly CheckTag[];
  readonly hostname?: string;
  readonly type?: CheckType;
  /** The promoted labels as the configuration made them; absent when it promotes none. */
  readonly promoted?: LabelValues;
}

/** Labels that alerts are made of. They are frozen while an outage is open: a changed label would be another alert. */
export interface AlertLabels {
  /** `low` where the service says so; anything else is `high`. */
  readonly importance: 'high' | 'low';
  /** Empty where the service does not tell. */
  readonly hostname: string;
}

/** The last outage of an item, and its flapping. Times are UNIX seconds. */
export interface Outage {
  readonly labels: LabelSources;
  readonly alertLabels: AlertLabels;
  readonly open: boolean;
  /** When it began, by the list or by a report; while it is open. */
  readonly sinceSeconds?: number;
  /** When a list first showed it: it began before. Only while it is open and nothing tells when it began. */
  readonly seenAtSeconds?: number;
  /** When it was known to be over; absent while it is open, and when that was more than 24 hours ago. */
  readonly overAtSeconds?: number;
  /** When the latest outages were first shown open, oldest first; as many as flapping needs. */
  readonly openedAtSeconds?: readonly number[];
  readonly flapping?: Flapping;
}

/** Labels under which an outage was shown, and nothing else is shown any more. */
export interface FormerOutage {
  readonly id: number;
  readonly labels: LabelSources;
  readonly alertLabels: AlertLabels;
  /** It was shown as flapping, too. */
  readonly hasFlapped?: true;
  readonly untilSeconds: number;
}

/** The outages that are open, and those that were within 24 hours; immutable. */
export interface Outages {
  readonly items: ReadonlyMap<number, Outage>;
  readonly former: readonly FormerOutage[];
  /** A complete list has shown which outages are open, so that an item without one has none. */
  readonly isKnown: boolean;
}

export const noOutages: Outages = { items: new Map(), former: [], isKnown: false };

/** What a list or the calendar shows of one item. `unsure` keeps what is known: unknown, or a failure that is not confirmed. */
export interface OutageReading extends FlappingReading {
  readonly id: number;
  readonly labels: LabelSources;
  readonly alertLabels: AlertLabels;
  /** When the outage began, for one that is down; undefined where neither the list nor a report tells. */
  readonly sinceSeconds?: number | undefined;
}

interface OutageReadings {
  readonly readings: Iterable<OutageReading>;
  /** Items that are no longer part of the account. */
  readonly gone?: Iterable<number>;
  /** Every item was read, so that others have no outage. */
  readonly isComplete?: boolean;
}

/** The outages after the readings of a moment, and without those whose 24 hours are over; the same object when nothing changed. */
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

/** The outages under the labels that a changed configuration promotes; the same object when none changed. */
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

/** Everything that was shown is over, under the labels that it had. */
export function retired({ items, former }: Outages, nowSeconds: number): readonly FormerOutage[] {
  return [...former, ...[...items].map(([id, outage]) => formerOutage(id, outage, nowSeconds))];
}

/** When time alone changes the outages next, in UNIX seconds; infinity when it does not. */
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

/** Collects the changes of a moment. Labels that are shown no longer are closed. */
class OutageChanges {
  readonly #before: Outages;
  readonly #nowSeconds: number;
  readonly #items: Map<number, Outage>;
  readonly #former: FormerOutage[];
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
      this.#former.push(formerOutage(id, known, this.#nowSeconds));
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
  reading: OutageReading,
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
  { labels, alertLabels, state, sinceSeconds }: OutageReading,
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

/** Without what has been over for 24 hours; undefined when nothing is left, the same object when nothing has ended. */
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

function formerOutage(
  id: number,
  { labels, alertLabels, open, overAtSeconds = 0, flapping }: Outage,
  nowSeconds: number,
): FormerOutage {
  const endedAt = open ? nowSeconds : overAtSeconds;
  const settledAt = flapping?.active ? nowSeconds : (flapping?.overAtSeconds ?? 0);
  return {
    ...{ id, labels, alertLabels },
    ...(flapping !== undefined && { hasFlapped: true }),
    untilSeconds: Math.max(endedAt, settledAt) + overSeconds,
  };
}

/** Whether both are shown as the same series. */
function isLabelledAlike(a: Outage, b: Outage): boolean {
  return (
    a.labels.name === b.labels.name &&
    plainEqual(a.labels.promoted, b.labels.promoted) &&
    plainEqual(a.alertLabels, b.alertLabels)
  );
}
