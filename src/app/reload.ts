import { isDeepStrictEqual } from 'node:util';
import type { Configuration } from '../config/configuration.ts';
import { configurationYaml } from '../config/display.ts';
import { mapping, type ReadText } from '../config/raw.ts';
import { type Serving, servingKeys } from '../config/serving.ts';
import type { ConfigurationSource, LastReload } from '../http/ports.ts';
import { type Sleeper, unixSeconds, type WallClock } from '../lib/clock.ts';
import { messageOf } from '../lib/error-text.ts';
import type { Log } from '../lib/log.ts';
import { orUndefined } from '../lib/or-undefined.ts';
import type { Scrubber } from '../lib/secret.ts';
import type { AccountChanges } from './account-changes.ts';
import { secretsOf } from './logging.ts';

/** The changes of a reload: accounts by name, and the names of other sections of the file. */
interface ConfigurationChanges extends AccountChanges {
  readonly sections: readonly string[];
}

interface ReloaderOptions {
  /** Reads the configuration again, including secrets; throws when anything is wrong with it. */
  readonly read: () => Configuration;
  /** Applies it completely or, when it rejects, not at all. */
  readonly apply: (configuration: Configuration) => Promise<ConfigurationChanges>;
  /** Returns the configuration in use as YAML, without secrets. */
  readonly shown: () => string;
  readonly onReload: (last: { successful: boolean; succeededAtSeconds: number }) => void;
  readonly clock: WallClock;
  readonly log: Log;
  readonly scrubber: Scrubber;
}

/** Reloads the configuration on request, one reload at a time. */
export class Reloader implements ConfigurationSource {
  readonly #options: ReloaderOptions;
  #last: LastReload;
  #running: Promise<unknown> = Promise.resolve();
  #ended = false;

  constructor(options: ReloaderOptions) {
    this.#options = options;
    this.#last = { succeededAtSeconds: unixSeconds(options.clock) };
  }

  get last(): LastReload {
    return this.#last;
  }

  shown(): string {
    return this.#options.shown();
  }

  /** Resolves when the reload has finished. */
  reload(): Promise<LastReload> {
    const reloading = this.#running.then(() => this.#reload());
    this.#running = reloading;
    return reloading;
  }

  /** Resolves when no reload is running; later ones are refused. */
  async end(): Promise<void> {
    this.#ended = true;
    await this.#running;
  }

  async #reload(): Promise<LastReload> {
    if (this.#ended) return { ...this.#last, failure: 'the exporter is stopping' };
    const { read, apply, onReload, clock, log, scrubber } = this.#options;
    let isRead = false;
    try {
      const configuration = read();
      isRead = true;
      const changes = await apply(configuration);
      this.#last = { succeededAtSeconds: unixSeconds(clock) };
      log.info(changes, 'configuration reloaded');
    } catch (error) {
      const failure = scrubber.scrub(messageOf(error));
      const { succeededAtSeconds } = this.#last;
      this.#last = { succeededAtSeconds, failure, ...(isRead && { isUnapplied: true }) };
      log.error({ reason: failure }, 'configuration reload failed; keeping the current one');
    }
    const { failure, succeededAtSeconds } = this.#last;
    onReload({ successful: failure === undefined, succeededAtSeconds });
    return this.#last;
  }
}

/** A configuration that can be read again while the exporter runs. */
export interface RunningConfiguration {
  /** Reads it again, including secrets; throws when anything is wrong with it. */
  read(): Configuration;
  /** Called when the configuration is in use. Returns the other sections that have changed. */
  apply(configuration: Configuration): readonly string[];
  /** Returns the configuration in use as YAML, without secrets. */
  shown(): string;
}

interface RunningConfigurationOptions {
  readonly read: () => Configuration;
  /** The configuration at the start. */
  readonly first: Configuration;
  /** The serving settings that apply until the next start. */
  readonly serving: Serving;
  /** Adds flags and defaults to the serving section of a configuration. */
  readonly servingOf: (configuration: Configuration) => Serving;
  readonly log: Log;
  readonly scrubber: Scrubber;
}

/** The configuration of a running exporter. Serving settings change only with a restart. */
export function runningConfiguration(options: RunningConfigurationOptions): RunningConfiguration {
  const { read, first, serving, servingOf, log, scrubber } = options;
  let current = first;
  return {
    read: () => {
      const configuration = read();
      // Old secrets stay scrubbed, because responses in flight may still contain them.
      for (const secret of secretsOf(configuration.accounts)) scrubber.add(secret);
      const settings = settingsNeedingRestart(serving, servingOf(configuration));
      if (settings.length > 0) log.warn({ settings }, 'changed settings need a restart');
      return configuration;
    },
    apply: (configuration) => {
      const sections = changedSections(current.shown, configuration.shown);
      current = configuration;
      return sections;
    },
    shown: () => scrubber.scrub(configurationYaml(current, serving)),
  };
}

/** Accounts are compared one by one; changes of the other sections in this list need a restart. */
const comparedElsewhere: readonly string[] = ['accounts', 'web', 'storage', 'log'];

function changedSections(current: unknown, next: unknown): readonly string[] {
  const [before, after] = [mapping(current), mapping(next)];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => !comparedElsewhere.includes(key) && !isDeepStrictEqual(before[key], after[key]),
  );
}

function settingsNeedingRestart(current: Serving, next: Serving): string[] {
  const names = Object.keys(servingKeys) as (keyof Serving)[];
  return names
    .filter((name) => String(current[name]) !== String(next[name]))
    .map((name) => servingKeys[name]);
}

/** The files that the last load of the configuration requested, readable or not. */
export class ConfigurationFiles {
  readonly #readText: ReadText;
  #texts = new Map<string, string | undefined>();

  constructor(readText: ReadText) {
    this.#readText = readText;
  }

  /** Calls `read` and notes which files it requests, instead of those of the previous load. */
  reading<T>(read: (readText: ReadText) => T): T {
    this.#texts = new Map();
    return read((path) => {
      // A file counts as unreadable until it is read, so a file that appears later has changed.
      this.#texts.set(path, undefined);
      const text = this.#readText(path);
      this.#texts.set(path, text);
      return text;
    });
  }

  /** Compares the text, because Kubernetes replaces links: times and inodes prove nothing. */
  get changed(): boolean {
    const textOf = (path: string) => orUndefined(() => this.#readText(path));
    return [...this.#texts].some(([path, text]) => textOf(path) !== text);
  }
}

interface AutoReloadOptions {
  readonly files: ConfigurationFiles;
  readonly intervalSeconds: number;
  readonly reload: () => Promise<Pick<LastReload, 'isUnapplied'> | undefined>;
  readonly clock: Sleeper;
}

/**
 * Reloads after each change of a file, until the signal aborts. An invalid configuration is read again
 * when it has changed; a valid one that could not be applied is tried each time.
 */
export async function autoReload(
  { files, intervalSeconds, reload, clock }: AutoReloadOptions,
  signal: AbortSignal,
): Promise<void> {
  let isUnapplied = false;
  while (!signal.aborted) {
    await clock.sleep(intervalSeconds * 1_000, signal).catch(() => undefined);
    if (signal.aborted || !(isUnapplied || files.changed)) continue;
    const last = await reload();
    isUnapplied = last?.isUnapplied === true;
  }
}
