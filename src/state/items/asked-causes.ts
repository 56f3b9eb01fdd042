import type { TimeRange } from '../../domain/interval.ts';
import { earlySeconds } from '../../slo/last-outages.ts';

/** The datasets that explain an outage: the errors of its tests, and its root cause analysis. */
export const explainingDatasets = ['results', 'analyses'] as const;
export type ExplainingDataset = (typeof explainingDatasets)[number];

/** Events of the account wait for at most this many outages that people ask about. */
const maxWaiting = 10;
/** After this time, an outage whose data could not be read makes room for others. */
const patienceMilliseconds = 3_600_000;
/** The number of outages without a known cause that are remembered. */
const maxAnswered = 100;

/** An outage whose causes are to be read. */
interface AskedOutage {
  readonly id: number;
  /** The time in which its failed tests and its analysis lie. An open outage ends at Infinity. */
  readonly range: TimeRange;
  /** On the monotonic clock. */
  readonly askedAt: number;
  /** The datasets that are not read yet. */
  readonly left: Set<ExplainingDataset>;
}

/**
 * Outages of checks whose causes somebody asked for, until they are read. They are not stored: after
 * a restart they can be asked for again.
 */
export class AskedCauses {
  readonly #waiting = new Map<string, AskedOutage>();
  readonly #answered = new Set<string>();

  /** Returns false if too many outages wait. `now`: milliseconds of the monotonic clock. */
  ask(id: number, outage: TimeRange, datasets: readonly ExplainingDataset[], now: number): boolean {
    const key = keyOf(id, outage);
    if (this.#waiting.has(key)) return true;
    for (const [one, { askedAt }] of this.#waiting) {
      if (now - askedAt > patienceMilliseconds) this.#waiting.delete(one);
    }
    if (this.#waiting.size >= maxWaiting) return false;
    const range = { ...outage, fromSeconds: outage.fromSeconds - earlySeconds };
    this.#waiting.set(key, { id, range, askedAt: now, left: new Set(datasets) });
    return true;
  }

  /** The next outage of a check that a dataset explains. */
  next(id: number, dataset: ExplainingDataset): AskedOutage | undefined {
    for (const asked of this.#waiting.values()) {
      if (asked.id === id && asked.left.has(dataset)) return asked;
    }
    return undefined;
  }

  /** The data of the outage were read. */
  answered(asked: AskedOutage, dataset: ExplainingDataset): void {
    asked.left.delete(dataset);
    if (asked.left.size > 0) return;
    for (const [key, one] of this.#waiting) {
      if (one !== asked) continue;
      this.#waiting.delete(key);
      this.#answered.add(key);
    }
    for (const oldest of [...this.#answered].slice(0, -maxAnswered)) this.#answered.delete(oldest);
  }

  /** A check has left. */
  delete(id: number): void {
    for (const [key, asked] of this.#waiting) if (asked.id === id) this.#waiting.delete(key);
    for (const key of this.#answered) if (key.startsWith(`${id} `)) this.#answered.delete(key);
  }

  /** `answered`: the data were read. Undefined if nobody asked. */
  stateOf(id: number, outage: Pick<TimeRange, 'fromSeconds'>): 'waiting' | 'answered' | undefined {
    const key = keyOf(id, outage);
    if (this.#waiting.has(key)) return 'waiting';
    return this.#answered.has(key) ? 'answered' : undefined;
  }
}

function keyOf(id: number, { fromSeconds }: Pick<TimeRange, 'fromSeconds'>): string {
  return `${id} ${fromSeconds}`;
}
