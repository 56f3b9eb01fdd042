import type { Check } from '../../domain/check.ts';
import type { DatasetName } from '../../domain/dataset.ts';
import type { UnknownPast } from './unknown-past.ts';

interface Checks {
  get(id: number): { readonly entry: Check } | undefined;
}

/** A check of which something from before its first sight is still to be read. */
export interface FirstSightCheck {
  readonly id: number;
  /** It was down when it was first seen, or is now. */
  readonly isOpen: boolean;
  readonly lastFailedAtSeconds: number;
  /** Datasets that are to be read of it. */
  readonly lacks: ReadonlySet<DatasetName>;
}

const ofOpen = ['analyses', 'results'] as const satisfies DatasetName[];

/** What is to be read of checks that were seen for the first time: their past, and why they were down. */
export class FirstSight {
  readonly #checks: Checks;
  readonly #past: UnknownPast;
  /** Checks that were down at first sight, or when they were restored. */
  readonly #open = new Set<number>();
  #version = 0;

  constructor(checks: Checks, past: UnknownPast) {
    this.#checks = checks;
    this.#past = past;
  }

  /** Another number when `checks` may return others. */
  get version(): string {
    return `${this.#past.version} ${this.#version}`;
  }

  /** Checks that were listed or restored for the first time. */
  added(ids: Iterable<number>): void {
    for (const id of ids) {
      if (this.#checks.get(id)?.entry.status !== 'down') continue;
      this.#open.add(id);
      this.#version += 1;
    }
  }

  checks(): FirstSightCheck[] {
    const unread = new Set(this.#past.answerable());
    return [...new Set([...unread, ...this.#open])].flatMap((id) => {
      const entry = this.#checks.get(id)?.entry;
      if (entry === undefined) {
        this.#open.delete(id);
        return [];
      }
      const wasOpen = this.#open.has(id);
      const lacks = [...(unread.has(id) ? ['history' as const] : []), ...(wasOpen ? ofOpen : [])];
      return [
        {
          id,
          isOpen: wasOpen || entry.status === 'down',
          lastFailedAtSeconds: lastFailureOf(entry),
          lacks: new Set<DatasetName>(lacks),
        },
      ];
    });
  }
}

function lastFailureOf(check: Check): number {
  const { lastErrorAtSeconds = 0, lastDownStartAtSeconds = 0, lastDownEndAtSeconds = 0 } = check;
  return Math.max(lastErrorAtSeconds, lastDownStartAtSeconds, lastDownEndAtSeconds);
}
