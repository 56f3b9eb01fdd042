import { z } from 'zod';
import { checkSettingsSchema, checkTypeSchema } from '../domain/check.ts';
import { plainEqual } from '../lib/plain-equal.ts';
import { present } from '../lib/present.ts';
import { optional, type TypeOf } from '../lib/schema.ts';
import {
  type FlappingEvidence,
  type FlappingLimits,
  flappingAfter,
  flappingSchema,
  isFlapping,
} from './flapping.ts';

/** A closed outage is exported as 0 for this time, in seconds. */
export const overSeconds = 86_400;

export type LabelValues = Readonly<Record<string, string>>;

const labelSources = checkSettingsSchema.pick({ name: true, tags: true, hostname: true }).extend({
  type: checkTypeSchema.exactOptional(),
  /** The values of promoted labels; absent when the configuration promotes none. */
  promoted: z.record(z.string(), z.string()).exactOptional(),
});
/** The data from which the labels of an item are made. */
export type LabelSources = TypeOf<typeof labelSources>;

const alertLabels = z.object({
  /** `low` if the service reports it, otherwise `high`. */
  importance: z.enum(['high', 'low']),
  /** Empty if the service does not report it. */
  hostname: z.string(),
});
/** Labels of alerts. They stay while an outage is open: a change would make another alert. */
export type AlertLabels = TypeOf<typeof alertLabels>;

export const outageSchema = z.object({
  labels: labelSources,
  alertLabels,
  open: z.boolean(),
  /** The start, from the list or a report. Present only while the outage is open. */
  sinceSeconds: optional.number,
  /** When a list first showed it. Present only while it is open with an unknown start. */
  seenAtSeconds: optional.number,
  /** When it was closed. Absent while it is open, and 24 hours after it was closed. */
  overAtSeconds: optional.number,
  /**
   * When the last outages were first shown, oldest first, as many as flapping needs. Without those
   * that maintenance or a pause has interrupted.
   */
  openedAtSeconds: z.array(z.number()).exactOptional(),
  flapping: flappingSchema.exactOptional(),
});
/** The last outage of an item, and its flapping. Times are UNIX seconds. */
export type Outage = TypeOf<typeof outageSchema>;

export const removedOutageSchema = z.object({
  id: z.number(),
  labels: labelSources,
  alertLabels,
  /** The item was also shown as flapping under these labels. */
  hasFlapped: optional.yes,
  untilSeconds: z.number(),
});
/** An outage of a removed or relabelled item. Only the closing 0 is shown, with old labels. */
export type RemovedOutage = TypeOf<typeof removedOutageSchema>;

/** The open outages, and those closed within the last 24 hours. The object is immutable. */
export interface Outages {
  readonly items: ReadonlyMap<number, Outage>;
  readonly former: readonly RemovedOutage[];
  /** True after a complete list. Only then does a missing entry mean no outage. */
  readonly isKnown: boolean;
}

export const noOutages: Outages = { items: new Map(), former: [], isKnown: false };

/** An item's state in a list or calendar. `unsure` (unknown, unconfirmed) changes nothing. */
export interface OutageEvidence extends FlappingEvidence {
  readonly id: number;
  readonly labels: LabelSources;
  readonly alertLabels: AlertLabels;
  /** The start, if the item is down; undefined if neither list nor report shows it. */
  readonly sinceSeconds?: number | undefined;
}

interface OutageUpdate {
  readonly evidence: Iterable<OutageEvidence>;
  /** The ids of removed items. */
  readonly removed?: Iterable<number>;
  /** True if the evidence covers all items of the account. */
  readonly isComplete?: boolean;
}

/** Applies evidence, and removes outages closed for 24 hours. The same object if unchanged. */
export function outagesAfter(
  before: Outages,
  { evidence, removed = [], isComplete = false }: OutageUpdate,
  nowSeconds: number,
  limits: FlappingLimits,
): Outages {
  const changes = new OutageChanges(before, nowSeconds);
  for (const one of evidence) {
    const known = before.items.get(one.id);
    changes.set(one.id, outageAfter(known, one, nowSeconds, limits));
  }
  for (const id of removed) changes.set(id, undefined);
  return changes.finish(before.isKnown || isComplete);
}

/** Applies promoted labels of a changed configuration. The same object if none changed. */
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

/** Closes all outages that were shown. They keep their last labels. */
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

/** Collects the changes at one time. A change of labels closes an outage under the old ones. */
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
  evidence: OutageEvidence,
  nowSeconds: number,
  limits: FlappingLimits,
): Outage | undefined {
  const next = openAfter(known, evidence, nowSeconds);
  if (next === undefined) return undefined;
  let { openedAtSeconds, flapping } = next;
  if (evidence.state === 'ended' && known?.open === true) {
    // If the item is still down when maintenance or a pause ends, the same outage opens again.
    openedAtSeconds = openedAtSeconds?.slice(0, -1);
  }
  if (next.open && known?.open !== true) {
    openedAtSeconds = [...(openedAtSeconds ?? []), nowSeconds].slice(-limits.outages);
    if (flapping?.active !== true && isFlapping(openedAtSeconds, limits))
      flapping = { active: true };
  }
  flapping = flappingAfter(flapping, evidence, nowSeconds, limits);
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

/** Removes parts that ended 24 hours ago; undefined if none is left, the same if none expired. */
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
    id,
    labels,
    alertLabels,
    ...(flapping !== undefined && { hasFlapped: true }),
    untilSeconds: Math.max(endedAt, settledAt) + overSeconds,
  };
}

/** Returns whether both outages have the same labels, and so are the same series. */
function isLabelledAlike(a: Outage, b: Outage): boolean {
  return (
    a.labels.name === b.labels.name &&
    plainEqual(a.labels.promoted, b.labels.promoted) &&
    plainEqual(a.alertLabels, b.alertLabels)
  );
}
