import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Holder = ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>;

/** Where in `src` the frame of a stack is, such as `state/items/item-store.ts:12`. */
function siteOf(frame: NodeJS.CallSite): string | undefined {
  const file = frame.getFileName() ?? '';
  const place = file.lastIndexOf('/src/');
  if (place < 0 || file.includes('/sandbox/') || file.includes('/node_modules/')) return undefined;
  return `${file.slice(place + 5)}:${frame.getLineNumber() ?? 0}`;
}

/** The store knows ids alone, and maintenance is that of the items that the service names. */
const exempt = /^(?:store\/|state\/(?:maintenance|maintenance-now|keep-same)\.ts)/;

/** The line of `src` that runs; undefined outside of it, and where ids may stay. */
function currentSite(): string | undefined {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 4;
  Error.prepareStackTrace = (_error, frames) => frames;
  const { stack } = new Error() as unknown as { readonly stack: readonly NodeJS.CallSite[] };
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  const [site] = stack.flatMap((frame) => siteOf(frame) ?? []);
  return site === undefined || exempt.test(site) ? undefined : site;
}

/** The ids that a key of a map names: a number, a part of a text, or an object with an id. */
function idsIn(key: unknown): readonly number[] {
  if (typeof key === 'number') return [key];
  if (typeof key === 'string') return (key.match(/\d+/g) ?? []).map(Number);
  if (typeof key !== 'object' || key === null) return [];
  return 'id' in key && typeof key.id === 'number' ? [key.id] : [];
}

/**
 * All maps and sets that the code of `src` makes while this watches, wherever they are: it sees
 * private fields and closures, too, because it replaces `Map` and `Set`.
 */
export class Holders {
  readonly #made: { readonly site: string; readonly holder: WeakRef<Holder> }[] = [];
  readonly #before = { Map: globalThis.Map, Set: globalThis.Set };
  readonly #collectGarbage: () => void;

  constructor() {
    setFlagsFromString('--expose-gc');
    this.#collectGarbage = runInNewContext('gc');
    const made = (holder: Holder) => {
      const site = currentSite();
      if (site !== undefined) this.#made.push({ site, holder: new WeakRef(holder) });
    };
    const { Map: PlainMap, Set: PlainSet } = this.#before;
    class WatchedMap<K, V> extends PlainMap<K, V> {
      constructor(entries?: Iterable<readonly [K, V]> | null) {
        super(entries);
        made(this);
      }
    }
    class WatchedSet<T> extends PlainSet<T> {
      constructor(values?: Iterable<T> | null) {
        super(values);
        made(this);
      }
    }
    Object.assign(globalThis, { Map: WatchedMap, Set: WatchedSet });
  }

  /** The lines of `src` whose maps and sets have one of these ids as a key, by how many they have. */
  async sitesOf(ids: Iterable<number>): Promise<ReadonlyMap<string, number>> {
    // What a promise or a timer of this turn holds is garbage in a later one.
    for (let turns = 0; turns < 3; turns++) {
      await new Promise((resolve) => setImmediate(resolve));
      this.#collectGarbage();
    }
    const wanted = new this.#before.Set(ids);
    const found = new this.#before.Map<string, number>();
    for (const { site, holder } of this.#made) {
      const known = holder.deref();
      if (known === undefined) continue;
      let count = 0;
      for (const key of known.keys()) if (idsIn(key).some((id) => wanted.has(id))) count += 1;
      if (count > 0) found.set(site, Math.max(count, found.get(site) ?? 0));
    }
    return found;
  }

  /** Stops watching. */
  end(): void {
    Object.assign(globalThis, this.#before);
    this.#made.length = 0;
  }
}
