import type { Query } from './query-parameters.ts';
import type { World } from './world.ts';

export interface OperationContext {
  readonly world: World;
  /** UNIX seconds of the data clock. */
  readonly now: number;
}

/** One operation of the API: where it is, and what it answers. `run` throws a `Refusal` for a bad request. */
export interface Operation {
  readonly name: string;
  readonly method: 'get';
  /** Relative to `/api/3.1`. */
  readonly path: string;
  readonly parameters: readonly string[];
  run(query: Query, context: OperationContext): object;
}
