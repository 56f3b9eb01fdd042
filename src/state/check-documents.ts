import type { Check } from '../domain/check.ts';
import { SharedTags } from '../domain/shared-tags.ts';
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

/** The check list as documents of the store. Few of them change from one list to the next. */
export class CheckDocuments {
  /** The entries that the store has, by id. */
  #stored = new Map<number, Check>();

  /** What it takes to store this list; null for what is no longer needed. */
  changed(list: readonly Check[]): Map<string, Json | null> {
    const documents = new Map<string, Json | null>();
    const { areSame, numbers } = this.#compare(list);
    if (areSame) return documents;
    const settings = new Map<number, Settings[]>();
    for (const number of numbers) settings.set(number, []);
    if (settings.size > 0) {
      for (const entry of list) settings.get(entry.id % settingsDocuments)?.push(settingsOf(entry));
    }
    for (const [number, entries] of settings) {
      const json = entries.length === 0 ? null : (entries as unknown as Json);
      documents.set(`${settingsPrefix}${number}`, json);
    }
    return documents.set(readingsDocument, list.map(readingOf));
  }

  /** The store has this list. */
  markStored(list: readonly Check[]): void {
    for (const entry of list) this.#stored.set(entry.id, entry);
    if (this.#stored.size === list.length) return;
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
    const tags = new SharedTags();
    const list = rows.flatMap(([id, ...values]): Check[] => {
      const known = settings.get(id);
      if (known === undefined) return [];
      return [withReading({ ...known, tags: tags.of(known.tags) }, values)];
    });
    this.markStored(list);
    return list;
  }

  /** Whether the store has this very list, and the numbers of the documents that do not hold its settings. */
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
      else if (before === undefined || settingNames.some((name) => before[name] !== entry[name])) {
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

function readingOf(entry: Check): Json {
  const reading: Json[] = [entry.id];
  for (const name of readingNames) reading.push(entry[name] ?? null);
  return reading;
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
