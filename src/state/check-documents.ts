import { type Check, checkMeasurements, checkSettings } from '../domain/check.ts';
import { SharedTags } from '../domain/shared-tags.ts';
import { type Mutable, pick } from '../lib/present.ts';
import { type DocumentChanges, DocumentSet } from '../store/format/document-set.ts';
import type { DocumentOf } from '../store/format/documents.ts';
import { partOf } from '../store/format/items.ts';

type Settings = DocumentOf<'check settings'>[number];
type Measurements = DocumentOf<'check measurements'>[number];

/** Its measurements are stored even if it is empty, so that an empty list differs from none. */
const firstPart = 0;

/** The check list as documents, of which few change from list to list. */
export class CheckDocuments {
  /** The entries that the store has, by id. */
  #stored = new Map<number, Check>();
  #isStored = false;

  /** Returns the documents that must be written to store this list; null deletes a document. */
  changed(list: readonly Check[]): DocumentChanges {
    const documents: DocumentChanges = new DocumentSet();
    const { settings, measurements } = this.#changedParts(list);
    const parts = new Map([...measurements].map((part) => [part, [] as Check[]]));
    if (parts.size > 0) for (const entry of list) parts.get(partOf(entry.id))?.push(entry);
    for (const [part, entries] of parts) {
      const isKept = entries.length > 0 || part === firstPart;
      documents.set('check measurements', isKept ? entries.map(measurementsOf) : null, part);
      if (!settings.has(part)) continue;
      documents.set('check settings', entries.length > 0 ? entries.map(settingsOf) : null, part);
    }
    return documents;
  }

  /** Call this when the list is in the store. */
  markStored(list: readonly Check[]): void {
    this.#isStored = true;
    for (const entry of list) this.#stored.set(entry.id, entry);
    if (this.#stored.size === list.length) return;
    this.#stored = new Map(list.map((entry) => [entry.id, entry]));
  }

  /** Reads the stored list; undefined if there is none. */
  read(documents: DocumentSet): readonly Check[] | undefined {
    const measurements = documents.all('check measurements');
    if (measurements.size === 0) return undefined;
    const tags = new SharedTags();
    const list: Check[] = [];
    for (const [part, rows] of measurements) {
      const settings = new Map(documents.get('check settings', part)?.map((of) => [of.id, of]));
      for (const row of rows) {
        const known = settings.get(row[0]);
        if (known !== undefined) list.push(checkOf(known, tags.of(known.tags), row));
      }
    }
    this.markStored(list);
    return list;
  }

  /** The parts in which a list differs from the stored one. Those of the settings are among the others. */
  #changedParts(list: readonly Check[]) {
    const [settings, measurements] = [new Set<number>(), new Set<number>()];
    if (!this.#isStored) measurements.add(firstPart);
    let known = 0;
    for (const entry of list) {
      const before = this.#stored.get(entry.id);
      if (before !== undefined) known += 1;
      if (before === entry) continue;
      const part = partOf(entry.id);
      measurements.add(part);
      if (before === undefined || checkSettings.some((name) => before[name] !== entry[name])) {
        settings.add(part);
      }
    }
    if (known < this.#stored.size) {
      const listed = new Set(list.map(({ id }) => id));
      for (const id of this.#stored.keys()) {
        if (listed.has(id)) continue;
        settings.add(partOf(id));
        measurements.add(partOf(id));
      }
    }
    return { settings, measurements };
  }
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
