import type { ApiVersion } from '../../domain/version.ts';
import type { World } from '../account/world.ts';
import type { Inputs } from '../server/parameters.ts';

export interface OperationContext {
  readonly version: ApiVersion;
  readonly world: World;
  /** The moment whose state the answer shows, in UNIX seconds of the data clock: the present, or earlier where answers lag. */
  readonly now: number;
  /** The present, in UNIX seconds of the data clock. */
  readonly askedAt: number;
}

/**
 * What may stand in the body of a request. Version 3.1 takes JSON, for some operations also a form;
 * the legacy versions take forms only, so `json-or-form` means `form` there.
 */
export type BodyKind = 'none' | 'form' | 'json' | 'json-or-form';

/** One operation of the API: where it is, and what it answers. */
export interface Operation {
  /**
   * As the client names it, such as `list_checks`, in the journal and for faults. Operations of
   * different versions share a name when the client reads both as one.
   */
  readonly name: string;
  /** What it does, in a few words for the user of the sandbox. */
  readonly summary: string;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Relative to `/api/{version}`; `:name` is a path parameter. */
  readonly path: string;
  readonly versions: readonly ApiVersion[];
  /** What may stand in the query or the body; `{X}` in a name stands for any whole number. */
  readonly parameters: readonly string[] | ((version: ApiVersion) => readonly string[]);
  readonly body: BodyKind;
  /** The body of the answer with status 200. Throws an `HttpError` for a bad request. */
  run(inputs: Inputs, context: OperationContext): object;
}

/** The parameters an operation takes in a version, besides those in its path. */
export function parametersOf({ parameters }: Operation, version: ApiVersion): readonly string[] {
  return typeof parameters === 'function' ? parameters(version) : parameters;
}
