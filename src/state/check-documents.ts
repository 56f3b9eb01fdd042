import type { Check } from '../domain/check.ts';
import type { Json } from '../store/store.ts';

/** What a check was found like by its last tests: it changes with every reading of the list. */
const readingNames = [
  'status',
  'lastTestAtSeconds',
  'lastErrorAtSeconds',
  'lastDownStartAtSeconds',
  'lastDownEndAtSeconds',
  'lastResponseTimeSeconds',
] as const;
/** What somebody set: it hardly ever changes, and is most of an entry. */
const settingNames = [
  'name',
  'type',
  'hostname',
  'severity',
  'ipv6',
  'tags',
  'resolutionSeconds',
  'createdAtSeconds',
] as const;

type Settings = Pick<Check, 'id' | (typeof settingNames)[number]>;

const readingsDocument = 'check readings';
const settingsPrefix = 'check settings ';
/** So many documents share the settings. */
const settingsDocuments = 128;

/** The check list as documents of the store, of which few change when it is read again. */
export class CheckDocuments {
  /** Whose settings the store has. */
  #stored: ReadonlyMap<number, Check> = new Map();

  /** What it takes to keep this list; null for what is no longer needed. */
  changed(list: readonly Check[]): Map<string, Json | null> {
    const settings = new Map<number, Settings[]>();
    for (const number of this.#changedSettings(list)) settings.set(number, []);
    for (const entry of list) settings.get(entry.id % settingsDocuments)?.push(settingsOf(entry));
    const documents = new Map<string, Json | null>();
    for (const [number, entries] of settings) {
      const json = entries.length === 0 ? null : (entries as unknown as Json);
      documents.set(`${settingsPrefix}${number}`, json);
    }
    const readings = list.map((entry) => [
      entry.id,
      ...readingNames.map((name) => entry[name] ?? null),
    ]);
    return documents.set(readingsDocument, readings);
  }

  /** The store has this list. */
  markStored(list: readonly Check[]): void {
    this.#stored = new Map(list.map((entry) => [entry.id, entry]));
  }

  /** The list that the store has; undefined when it has none. */
  read(documents: ReadonlyMap<string, Json>): readonly Check[] | undefined {
    const rows = documents.get(readingsDocument) as
      | readonly (readonly [number, ...Json[]])[]
      | undefined;
    if (rows === undefined) return undefined;
    const settings = new Map<number, Settings>();
    for (const [name, value] of documents) {
      if (!name.startsWith(settingsPrefix)) continue;
      for (const entry of value as unknown as readonly Settings[]) settings.set(entry.id, entry);
    }
    const list = rows.flatMap(([id, ...values]): Check[] => {
      const known = settings.get(id);
      return known === undefined ? [] : [withReading(known, values)];
    });
    this.markStored(list);
    return list;
  }

  /** The numbers of the documents that do not hold the settings of this list. */
  #changedSettings(list: readonly Check[]): ReadonlySet<number> {
    const changed = new Set<number>();
    const gone = new Set(this.#stored.keys());
    for (const entry of list) {
      gone.delete(entry.id);
      const before = this.#stored.get(entry.id);
      if (before === undefined || settingNames.some((name) => before[name] !== entry[name])) {
        changed.add(entry.id % settingsDocuments);
      }
    }
    for (const id of gone) changed.add(id % settingsDocuments);
    return changed;
  }
}

function settingsOf(entry: Check): Settings {
  return pick(entry, ['id', ...settingNames]) as Settings;
}

/** The settings were read for this alone, so that they become the entry. */
function withReading(settings: Settings, values: readonly Json[]): Check {
  const entry = settings as Settings & Record<string, unknown>;
  for (const [place, name] of readingNames.entries()) {
    const value = values[place] ?? null;
    if (value !== null) entry[name] = value;
  }
  return entry as unknown as Check;
}

function pick<T extends object>(from: T, names: readonly (keyof T)[]): Partial<T> {
  const picked: Partial<T> = {};
  for (const name of names) if (from[name] !== undefined) picked[name] = from[name];
  return picked;
}
