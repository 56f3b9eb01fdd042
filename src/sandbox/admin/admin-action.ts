import type { Inputs } from '../query-parameters.ts';
import type { Sandbox } from '../sandbox.ts';

export interface AdminContext {
  readonly sandbox: Sandbox;
  /** UNIX seconds of the data clock. */
  readonly now: number;
}

/** One thing an operator can ask of the sandbox. */
export interface AdminAction {
  readonly method: 'get' | 'post' | 'delete';
  readonly path: string;
  /** For the index: what it does. */
  readonly summary: string;
  /** What may stand in the query or the JSON body. */
  readonly parameters: readonly string[];
  /** For the index: the parameters as one types them. */
  readonly example?: string;
  /** Throws a `Refusal` or a `RangeError` for a bad request. */
  run(inputs: Inputs, context: AdminContext): object;
}
