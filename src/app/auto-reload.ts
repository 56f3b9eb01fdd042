import type { Clock } from '../lib/clock.ts';
import type { ReadText } from './load-configuration.ts';

/** The files that the last reading of the configuration asked for, whether they could be read or not. */
export class ConfigurationFiles {
  readonly #readText: ReadText;
  #texts = new Map<string, string | undefined>();

  constructor(readText: ReadText) {
    this.#readText = readText;
  }

  /** Begins another reading of the configuration: what it asks for is compared from now on. */
  reading<T>(read: (readText: ReadText) => T): T {
    this.#texts = new Map();
    return read((path) => {
      // Unreadable until it was read: a file that appears later counts as changed.
      this.#texts.set(path, undefined);
      const text = this.#readText(path);
      this.#texts.set(path, text);
      return text;
    });
  }

  /** Whether a file has another text now. Kubernetes replaces links, so neither times nor numbers of files are compared. */
  get changed(): boolean {
    return [...this.#texts].some(([path, text]) => this.#textOf(path) !== text);
  }

  #textOf(path: string): string | undefined {
    try {
      return this.#readText(path);
    } catch {
      return undefined;
    }
  }
}

export interface AutoReloadOptions {
  readonly files: Pick<ConfigurationFiles, 'changed'>;
  readonly intervalSeconds: number;
  readonly reload: () => Promise<void>;
  readonly clock: Pick<Clock, 'sleep'>;
}

/** Reloads when a file has changed, until the signal aborts. What could not be used is not tried again before it changes. */
export async function autoReload(
  { files, intervalSeconds, reload, clock }: AutoReloadOptions,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(intervalSeconds * 1_000, signal).catch(() => undefined);
    if (!signal.aborted && files.changed) await reload();
  }
}
