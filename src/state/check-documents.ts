import { type Check, checkMeasurements, checkSettings } from '../domain/check.ts';
import { SharedTags } from '../domain/shared-tags.ts';
import { type Mutable, pick } from '../lib/present.ts';
import { type DocumentChanges, DocumentSet } from '../store/format/document-set.ts';
import type { DocumentOf } from '../store/format/documents.ts';

type Settings = DocumentOf<`check settings ${number}`>[number];
type Measurements = DocumentOf<'check readings'>[number];

/** The number of documents that together have the settings of all checks. */
const settingsDocuments = 128;

/** The check list as documents, of which few change from list to list. */
export class CheckDocuments {
  /** The entries that the store has, by id. */
  #stored = new Map<number, Check>();

  /** Returns the documents that must be written to store this list; null deletes a document. */
  changed(list: readonly Check[]): DocumentChanges {
    const documents: DocumentChanges = new DocumentSet();
    const { areSame, numbers } = this.#compare(list);
    if (areSame) return documents;
    const settings = new Map<number, Settings[]>();
    for (const number of numbers) settings.set(number, []);
    if (settings.size > 0) {
      for (const entry of list) settings.get(entry.id % settingsDocuments)?.push(settingsOf(entry));
    }
    for (const [number, entries] of settings) {
      documents.set(`check settings ${number}`, entries.length === 0 ? null : entries);
    }
    return documents.set('check readings', list.map(measurementsOf));
  }

  /** Call this when the list is in the store. */
  markStored(list: readonly Check[]): void {
    for (const entry of list) this.#stored.set(entry.id, entry);
    if (this.#stored.size === list.length) return;
    this.#stored = new Map(list.map((entry) => [entry.id, entry]));
  }

  /** Reads the stored list; undefined if there is none. */
  read(documents: DocumentSet): readonly Check[] | undefined {
    const rows = documents.get('check readings');
    if (rows === undefined) return undefined;
    const settings = new Map<number, Settings>();
    for (const [, entries] of documents.family('check settings')) {
      for (const entry of entries) settings.set(entry.id, entry);
    }
    const tags = new SharedTags();
    const list = rows.flatMap((row): Check[] => {
      const known = settings.get(row[0]);
      return known === undefined ? [] : [checkOf(known, tags.of(known.tags), row)];
    });
    this.markStored(list);
    return list;
  }

  /** Compares a list with the stored one: whether they are equal, and the documents that differ. */
  #compare(list: readonly Check[]): {
    readonly areSame: boolean;
    readonly numbers: ReadonlySet<number>;
  } {
    const numbers = new Set<number>();
    let same = 0;
    let known = 0;
    for (const entry of list) {
      const before = this.#stored.get(entry.id);
      if (before !== undefined) known += 1;
      if (before === entry) same += 1;
      else if (before === undefined || checkSettings.some((name) => before[name] !== entry[name])) {
        numbers.add(entry.id % settingsDocuments);
      }
    }
    if (known < this.#stored.size) {
      const listed = new Set(list.map(({ id }) => id));
      for (const id of this.#stored.keys())
        if (!listed.has(id)) numbers.add(id % settingsDocuments);
    }
    return { areSame: same === list.length && same === this.#stored.size && same > 0, numbers };
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
