import type { CheckTag, CheckType } from '../domain/check.ts';

/** For so long after its end an outage is shown to be over. */
export const overSeconds = 86_400;

/** What the labels of an item were made from. */
export interface LabelSources {
  readonly name: string;
  readonly tags: readonly CheckTag[];
  readonly hostname?: string;
  readonly type?: CheckType;
}

/** The last outage of an item. Times are UNIX seconds. */
export interface Outage {
  readonly labels: LabelSources;
  readonly open: boolean;
  /** When it began, by the list or by a report; while it is open. */
  readonly sinceSeconds?: number;
  /** When a list first showed it: it began before. Only while it is open and nothing tells when it began. */
  readonly seenAtSeconds?: number;
  /** When it was known to be over; while it is not open. */
  readonly overAtSeconds?: number;
}

/** Labels under which an outage was shown, and nothing else is shown any more. */
export interface FormerOutage {
  readonly id: number;
  readonly labels: LabelSources;
  readonly untilSeconds: number;
}

/** The outages that are open, and those that were within 24 hours; immutable. */
export interface Outages {
  readonly items: ReadonlyMap<number, Outage>;
  readonly former: readonly FormerOutage[];
}

export const noOutages: Outages = { items: new Map(), former: [] };

/** What a list or the calendar shows of one item. */
export interface OutageReading {
  readonly id: number;
  readonly labels: LabelSources;
  /** `unsure` keeps what is known: unknown, or a failure that is not confirmed. */
  readonly state: 'down' | 'not down' | 'unsure';
  /** When the outage began, for one that is down; undefined where neither the list nor a report tells. */
  readonly sinceSeconds?: number | undefined;
}

/**
 * The outages after the readings of a moment, and without those whose 24 hours are over; the same object when
 * nothing changed. `gone` are no longer part of the account.
 */
export function outagesAfter(
  before: Outages,
  readings: Iterable<OutageReading>,
  nowSeconds: number,
  gone: Iterable<number> = [],
): Outages {
  const items = new Map(before.items);
  let former = before.former.filter(({ untilSeconds }) => untilSeconds > nowSeconds);
  let isSame = former.length === before.former.length;
  const retire = (id: number, labels: LabelSources) => {
    former = [...former, { id, labels, untilSeconds: nowSeconds + overSeconds }];
    isSame = false;
  };
  for (const reading of readings) {
    const known = items.get(reading.id);
    const next = outageAfter(known, reading, nowSeconds);
    if (next === known) continue;
    isSame = false;
    if (known !== undefined && !sameLabels(known.labels, reading.labels)) {
      retire(reading.id, known.labels);
    }
    if (next === undefined) items.delete(reading.id);
    else items.set(reading.id, next);
  }
  for (const id of gone) {
    const known = items.get(id);
    if (known === undefined) continue;
    items.delete(id);
    retire(id, known.labels);
  }
  for (const [id, { overAtSeconds }] of items) {
    if (overAtSeconds === undefined || overAtSeconds + overSeconds > nowSeconds) continue;
    items.delete(id);
    isSame = false;
  }
  return isSame ? before : { items, former };
}

/** Everything that was shown is over, under the labels that it had. */
export function retired({ items, former }: Outages, nowSeconds: number): readonly FormerOutage[] {
  const untilSeconds = nowSeconds + overSeconds;
  const ended = [...items].map(([id, { labels }]) => ({ id, labels, untilSeconds }));
  return [...former, ...ended];
}

function outageAfter(
  known: Outage | undefined,
  { labels, state, sinceSeconds }: OutageReading,
  nowSeconds: number,
): Outage | undefined {
  const kept = known && (sameLabels(known.labels, labels) ? known : { ...known, labels });
  if (state === 'unsure') return kept;
  if (state === 'not down') {
    return kept?.open ? { labels: kept.labels, open: false, overAtSeconds: nowSeconds } : kept;
  }
  const since = sinceSeconds ?? (kept?.open ? kept.sinceSeconds : undefined);
  if (kept?.open && kept.sinceSeconds === since) return kept;
  const beginning = since === undefined ? { seenAtSeconds: nowSeconds } : { sinceSeconds: since };
  return { labels: kept?.labels ?? labels, open: true, ...beginning };
}

function sameLabels(a: LabelSources, b: LabelSources): boolean {
  return (
    a.name === b.name &&
    a.hostname === b.hostname &&
    a.type === b.type &&
    (a.tags === b.tags ||
      (a.tags.length === b.tags.length &&
        a.tags.every((tag, place) => tag.name === b.tags[place]?.name)))
  );
}
