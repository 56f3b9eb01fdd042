import type { FinishedPasts, ReadPast } from '../../feature.ts';
import type { ItemKind } from '../../store/store.ts';
import { decodeStates } from '../series/past-states.ts';
import type { BackfillJob } from './backfill-job.ts';
import type { JobDocument } from './documents.ts';

type Occurrences = ReadonlyMap<number, readonly (readonly [number, number])[]>;

/** The states and the maintenance that a job has read. */
export class JobPasts implements FinishedPasts {
  readonly fromSeconds: number;
  readonly requestedAtSeconds: number;
  readonly #job: BackfillJob;
  readonly #request: JobDocument;
  #maintenance: Readonly<Record<ItemKind, Occurrences>> | undefined;

  constructor(job: BackfillJob, request: JobDocument) {
    this.#job = job;
    this.#request = request;
    this.fromSeconds = request.fromSeconds;
    this.requestedAtSeconds = request.requestedAtSeconds;
  }

  ids(kind: ItemKind): readonly number[] {
    return this.#request[kind];
  }

  of(kind: ItemKind, id: number): ReadPast | undefined {
    const { past } = this.#job.past(kind, id) ?? {};
    if (past === undefined) return undefined;
    const occurrences = this.#occurrences[kind].get(id) ?? [];
    return {
      ...past,
      states: decodeStates(past.states, past.fromSeconds),
      maintenance: occurrences.map(([fromSeconds, toSeconds]) => ({ fromSeconds, toSeconds })),
    };
  }

  get #occurrences(): Readonly<Record<ItemKind, Occurrences>> {
    const { check = [], transaction = [] } = this.#request.maintenance ?? {};
    this.#maintenance ??= { check: new Map(check), transaction: new Map(transaction) };
    return this.#maintenance;
  }
}
