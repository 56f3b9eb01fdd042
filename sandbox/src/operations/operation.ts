import type { World } from '../account/world.ts';
import type { Inputs } from '../server/parameters.ts';
import type { ApiVersion } from '../vocabulary.ts';

export interface OperationContext {
  readonly version: ApiVersion;
  readonly world: World;
  /**
   * The time whose state the response shows, in UNIX seconds of the data clock: now, or earlier if
   * responses lag.
   */
  readonly now: number;
  /** The current time in UNIX seconds of the data clock. */
  readonly askedAt: number;
}

/**
 * The accepted body of a request. Version 3.1 accepts JSON, and for some operations also a form.
 * The legacy versions accept only forms, so `json-or-form` means `form` there.
 */
export type BodyKind = 'none' | 'form' | 'json' | 'json-or-form';

/** One operation of the API: its path, its parameters and its response. */
export interface Operation {
  /**
   * The client's name of the operation, such as `list_checks`, for the journal and for faults.
   * Operations of different versions share a name if the client treats them as one.
   */
  readonly name: string;
  /** A short description for the user of the sandbox. */
  readonly summary: string;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Relative to `/api/{version}`; `:name` is a path parameter. */
  readonly path: string;
  readonly versions: readonly ApiVersion[];
  readonly body: BodyKind;
  /**
   * The accepted parameters of the query or the body in a version; `{X}` in a name stands for any
   * whole number.
   */
  parameters(version: ApiVersion): readonly string[];
  /** The body of the response with status 200. Throws an `HttpError` for a bad request. */
  run(inputs: Inputs, context: OperationContext): object;
}
