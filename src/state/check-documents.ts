import { type Check, checkMeasurements, checkSettings } from '../domain/check.ts';
import { SharedTags } from '../domain/shared-tags.ts';
import { type Mutable, pick } from '../lib/present.ts';
import { type DocumentChanges, DocumentSet } from '../store/format/document-set.ts';
import type { DocumentOf } from '../store/format/documents.ts';
import { partOf, parts } from '../store/format/items.ts';

type Settings = DocumentOf<'check settings'>[number];
type Measurements = DocumentOf<'check measurements'>[number];

/** Its measurements are stored even if it is empty, so that an empty list differs from none. */
const firstPart = 0;

/** The check list as documents, of which few change from list to list. */
export class CheckDocuments {
  /** The entries that the store has, by part; undefined before a list was stored. */
  #stored: readonly (readonly Check[])[] | undefined;

  /** Returns the documents that must be written to store this list; null deletes a document. */
  changed(list: readonly Check[]): DocumentChanges {
    const documents: DocumentChanges = new DocumentSet();
    for (const [part, entries] of byPart(list).entries()) {
      const change = changeOf(this.#stored?.[part], entries, part);
      if (change === undefined) continue;
      const isKept = entries.length > 0 || part === firstPart;
      documents.set('check measurements', isKept ? entries.map(measurementsOf) : null, part);
      if (change === 'measurements') continue;
      documents.set('check settings', entries.length > 0 ? entries.map(settingsOf) : null, part);
    }
    return documents;
  }

  /** Call this when the list is in the store. */
  markStored(list: readonly Check[]): void {
    this.#stored = byPart(list);
  }

  /** Reads the stored list; undefined if there is none. */
  read(documents: DocumentSet): readonly Check[] | undefined {
    const measurements = documents.all('check measurements');
    if (measurements.size === 0) return undefined;
    const tags = new SharedTags();
    const list: Check[] = [];
    for (const [part, rows] of measurements) {
      const settings = new Map(
        documents.get('check settings', part)?.map((stored) => [stored.id, stored]),
      );
      for (const row of rows) {
        const stored = settings.get(row[0]);
        if (stored !== undefined) list.push(checkOf(stored, tags.of(stored.tags), row));
      }
    }
    this.markStored(list);
    return list;
  }
}

function byPart(list: readonly Check[]): readonly (readonly Check[])[] {
  const all = Array.from({ length: parts }, (): Check[] => []);
  for (const entry of list) all[partOf(entry.id)]?.push(entry);
  return all;
}

/** The documents of a part that differ, those of the measurements always among them. */
function changeOf(
  stored: readonly Check[] | undefined,
  entries: readonly Check[],
  part: number,
): 'all' | 'measurements' | undefined {
  if (stored === undefined) {
    if (entries.length > 0) return 'all';
    return part === firstPart ? 'measurements' : undefined;
  }
  if (stored.length === entries.length && entries.every((one, at) => one === stored[at])) {
    return undefined;
  }
  const byId = new Map(stored.map((entry) => [entry.id, entry]));
  let isSame = stored.length === entries.length;
  for (const entry of entries) {
    const before = byId.get(entry.id);
    if (before === undefined || !hasSameSettings(before, entry)) return 'all';
    isSame &&= before === entry;
  }
  if (isSame) return undefined;
  return stored.length === entries.length ? 'measurements' : 'all';
}

function hasSameSettings(before: Check, entry: Check): boolean {
  return before === entry || checkSettings.every((name) => before[name] === entry[name]);
}

function measurementsOf(entry: Check): Measurements {
  const amounts = checkMeasurements.map((name) => entry[name] ?? null);
  return [entry.id, entry.status, ...amounts];
}

/** Exactly the names in the document's schema: a field outside it is lost when it is read. */
const settingNames: readonly (keyof Settings & keyof Check)[] = ['id', ...checkSettings];

function settingsOf(entry: Check): Settings {
  return pick(entry, settingNames);
}

/** The place of each measurement in a row. */
const placeOf = Object.fromEntries(
  checkMeasurements.map((name, place) => [name, place + 2]),
) as Readonly<Record<(typeof checkMeasurements)[number], number>>;

/**
 * The fields are set one by one, in the order of `decodeCheck` (src/api/resources/checks.ts). Objects
 * whose fields are set in a loop take more memory: 50 MB at a start with 25,000 checks.
 */
function checkOf(settings: Settings, tags: Check['tags'], row: Measurements): Check {
  const { id, name, type, hostname, severity, ipv6 } = settings;
  const { resolutionSeconds, createdAtSeconds } = settings;
  const check: Mutable<Check> = { id, name, type, status: row[1], tags };
  if (hostname !== undefined) check.hostname = hostname;
  if (severity !== undefined) check.severity = severity;
  if (ipv6 !== undefined) check.ipv6 = ipv6;
  if (resolutionSeconds !== undefined) check.resolutionSeconds = resolutionSeconds;
  if (createdAtSeconds !== undefined) check.createdAtSeconds = createdAtSeconds;
  const testedAt = row[placeOf.lastTestAtSeconds];
  if (typeof testedAt === 'number') check.lastTestAtSeconds = testedAt;
  const errorAt = row[placeOf.lastErrorAtSeconds];
  if (typeof errorAt === 'number') check.lastErrorAtSeconds = errorAt;
  const downStart = row[placeOf.lastDownStartAtSeconds];
  if (typeof downStart === 'number') check.lastDownStartAtSeconds = downStart;
  const downEnd = row[placeOf.lastDownEndAtSeconds];
  if (typeof downEnd === 'number') check.lastDownEndAtSeconds = downEnd;
  const responseTime = row[placeOf.lastResponseTimeSeconds];
  if (typeof responseTime === 'number') check.lastResponseTimeSeconds = responseTime;
  return check;
}
