import type { z } from 'zod';
import { type Inputs, matchingInputs, requiredParameter } from '../server/parameters.ts';
import { type ApiVersion, apiVersions } from '../vocabulary.ts';
import type { BodyKind, Operation, OperationContext } from './operation.ts';

/** Reads one parameter, or several that belong together. Throws a 400 for an invalid value. */
export interface Reader<T> {
  (inputs: Inputs, name: string, context: OperationContext): T;
  /** The parameters that it reads in a version; by default the one with its own name. */
  readonly names?: (version: ApiVersion, name: string) => readonly string[];
  /** It reads a body that must be JSON. */
  readonly json?: true;
}
type Readers = Readonly<Record<string, Reader<unknown>>>;
/** The values of a row's parameters. */
export type Given<R extends Readers> = { readonly [K in keyof R]: ReturnType<R[K]> };

/** Such as `GET /checks`, in all versions, or `2.0,2.1 PUT /settings`. */
type Route = `${'' | `${string} `}${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;

/**
 * A row of the table of operations. `reads` has a reader for every parameter, also those of the
 * path; they are read in this order, and the first invalid one is reported.
 */
export function operation<const R extends Readers>(
  name: string,
  route: Route,
  summary: string,
  reads: R,
  run: (given: Given<R>, context: OperationContext) => object,
): Operation {
  const [path = '', method = '', versionList = apiVersions.join()] = route.split(' ').reverse();
  const versions = versionList.split(',') as ApiVersion[];
  const ofBody = Object.entries(reads).filter(([parameter]) => !path.includes(`:${parameter}`));
  return {
    name,
    summary,
    method: method.toLowerCase() as Operation['method'],
    path,
    versions,
    body: method === 'GET' || ofBody.length === 0 ? 'none' : bodyOf(versions, ofBody),
    parameters(version) {
      const names = ofBody.flatMap(([own, read]) => read.names?.(version, own) ?? [own]);
      return [...new Set(names)];
    },
    run(inputs, context) {
      const values = Object.entries(reads).map(([own, read]) => [own, read(inputs, own, context)]);
      return run(Object.fromEntries(values), context);
    },
  };
}

function bodyOf(
  versions: readonly ApiVersion[],
  reads: readonly (readonly [string, Reader<unknown>])[],
): BodyKind {
  if (!versions.includes('3.1')) return 'form';
  return reads.some(([, read]) => read.json) ? 'json' : 'json-or-form';
}

/** Reads several parameters that belong together. */
export function together<T>(
  names: readonly string[] | ((version: ApiVersion) => readonly string[]),
  read: (inputs: Inputs, context: OperationContext) => T,
): Reader<T> {
  return Object.assign(
    (inputs: Inputs, _name: string, context: OperationContext) => read(inputs, context),
    {
      names: typeof names === 'function' ? names : () => names,
    },
  );
}

/** Reads all parameters of a JSON body. */
export function json<S extends z.ZodObject>(schema: S): Reader<z.output<S>> {
  const read = together(Object.keys(schema.shape), (inputs) => matchingInputs(schema, inputs));
  return Object.assign(read, { json: true } as const);
}

/** Throws a 400 if the parameter is absent or empty. */
export function required<T>(read: Reader<T | undefined>): Reader<T> {
  return (inputs, name, context) => requiredParameter(name, read(inputs, name, context));
}

/** Undefined if the parameter is absent. */
export function optional<T>(read: Reader<T>): Reader<T | undefined> {
  return (inputs, name, context) =>
    inputs[name] === undefined ? undefined : read(inputs, name, context);
}

/** Only some versions have the parameter. */
export function only<T>(versions: readonly ApiVersion[], read: Reader<T>): Reader<T> {
  const own: Reader<T> = (inputs, name, context) => read(inputs, name, context);
  const names = (version: ApiVersion, name: string) => (versions.includes(version) ? [name] : []);
  return Object.assign(own, { names });
}
