import type { MonotonicClock } from '../../lib/clock.ts';
import { startSlices } from '../../lib/event-loop.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { type Deflated, Deflater, gzipMember } from '../../lib/gzip-member.ts';
import { reportedSeconds } from '../../slo/reported-states.ts';
import type { CheckRow } from '../../state/snapshot.ts';
import { type Encoding, type Exposed, exposedBytes } from '../formats.ts';
import { SelectionError, unknownPart } from '../page/selection.ts';
import { familyHeader, rowsText, SampleWriter } from '../text-format.ts';
import { type CompatName, compatExporters } from './compat-exporters.ts';
import type { CompatAccount, CompatCheck } from './compat-family.ts';
import type { CompatOptions } from './compat-options.ts';

/** The selection in the query of a scrape. */
export interface CompatSelection {
  /** Name of the other exporter. */
  readonly exporter: string;
  /** Required when there are several accounts. */
  readonly account?: string;
}

/** The families of other exporters. Rejects with a `SelectionError`. */
export interface CompatSource {
  read(selection: CompatSelection, encoding: Encoding): Promise<Exposed>;
}

interface CompatExpositionOptions {
  readonly accounts: () => readonly CompatAccount[];
  /** The names of the accounts that other replicas serve: they have no series here. */
  readonly elsewhere: () => readonly string[];
  readonly options: () => CompatOptions;
  readonly clock: MonotonicClock;
  /** Resolves after the event loop has had a turn. */
  readonly yieldToEventLoop: () => Promise<void>;
}

/** Checks whose lines are rendered and compressed together. */
const checksPerChunk = 512;

/**
 * Serves one account as another exporter would, as Prometheus text 0.0.4. Each scrape is rendered
 * from known data and never calls the service. Without scrapes it costs nothing.
 */
export class CompatExposition implements CompatSource {
  readonly #options: CompatExpositionOptions;
  readonly #deflater = new Deflater();
  readonly #running = new Map<string, Promise<Exposed>>();

  constructor(options: CompatExpositionOptions) {
    this.#options = options;
  }

  async read({ exporter, account }: CompatSelection, encoding: Encoding): Promise<Exposed> {
    const name = exporterNamed(exporter);
    const accounts = this.#options.accounts();
    const served = accounts.map(({ snapshot }) => snapshot.account);
    const selected = selectAccount([...served, ...this.#options.elsewhere()], account);
    // Concurrent scrapes share one rendering.
    const key = JSON.stringify([name, encoding, selected]);
    const here = accounts.find(({ snapshot }) => snapshot.account === selected);
    return getOrMake(this.#running, key, () =>
      this.#render(name, here, encoding).finally(() => this.#running.delete(key)),
    );
  }

  async #render(
    name: CompatName,
    account: CompatAccount | undefined,
    encoding: Encoding,
  ): Promise<Exposed> {
    const texts = account === undefined ? [] : this.#texts(name, account);
    if (encoding === 'identity') {
      const plain: Uint8Array[] = [];
      for await (const text of texts) plain.push(Buffer.from(text));
      return exposedBytes(plain);
    }
    const parts: Deflated[] = [];
    for await (const text of texts) parts.push(this.#deflater.deflate(text));
    const bytes = parts.map((part) => part.bytes);
    return exposedBytes(gzipMember(bytes, parts));
  }

  async *#texts(name: CompatName, account: CompatAccount): AsyncGenerator<string> {
    const { accountFamilies, checkFamilies, shows, keepsChecks } = compatExporters[name];
    const options = this.#options.options();
    const { checks: listed = [], up } = account.snapshot;
    const counts = tagCounts(listed);
    const checks: CompatCheck[] = [];
    const yieldIfDue = startSlices(this.#options);
    for (const check of up || keepsChecks ? listed.filter(shows) : []) {
      const states = account.states?.ofCheck(check.id);
      const report = states && reportedSeconds(states, options.outagePeriodSeconds);
      checks.push({ check, report, tagCounts: counts });
      if (checks.length % checksPerChunk === 0) await yieldIfDue();
    }
    yield accountFamilies(options)
      .map((family) => rowsText(family, [account], 'text'))
      .join('');
    for (const family of checkFamilies(options)) {
      let start = familyHeader(family, 'text');
      for (let at = 0; at < checks.length; at += checksPerChunk) {
        const writer = new SampleWriter(family);
        for (const check of checks.slice(at, at + checksPerChunk)) family.samples(check, writer);
        if (writer.series > 0) {
          yield start + writer.text;
          start = '';
        }
        await yieldIfDue();
      }
    }
  }
}

function exporterNamed(name: string): CompatName {
  const names = Object.keys(compatExporters) as CompatName[];
  const found = names.find((candidate) => candidate === name);
  if (found === undefined) throw unknownPart('compat', name, names);
  return found;
}

function selectAccount(names: readonly string[], name: string | undefined): string {
  const [first, ...others] = names;
  if (name === undefined) {
    if (first !== undefined && others.length === 0) return first;
    throw new SelectionError(
      `parameter "account" is required with "compat": expected one of ${names.join(', ')}`,
    );
  }
  if (!names.includes(name)) throw unknownPart('account', name, names);
  return name;
}

/** Returns the number of checks that have each tag. */
function tagCounts(checks: readonly CheckRow[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { tags } of checks) {
    for (const { name } of tags) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
