import { type Check, lastFailureOf } from '../../domain/check.ts';
import type { DatasetName } from '../../domain/dataset.ts';
import type { UnknownPast } from './unknown-past.ts';

interface Checks {
  get(id: number): { readonly entry: Check } | undefined;
}

/** A check that still lacks data from before it was first seen. */
export interface FirstSightCheck {
  readonly id: number;
  /** It was down when it was first seen, or is down. */
  readonly isOpen: boolean;
  readonly lastFailedAtSeconds: number;
  readonly lacks: ReadonlySet<DatasetName>;
}

const ofOpen = ['analyses', 'results'] as const satisfies DatasetName[];

/** Data that newly seen checks lack: their past, and the causes of open outages. */
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

  /** Changes when `checks` may return other checks. */
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
    const unread = new Set(this.#past.ids());
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
