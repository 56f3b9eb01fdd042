import type { z } from 'zod';
import { type Inputs, matchingInputs, requiredParameter } from '../server/parameters.ts';
import type { ApiVersion } from '../vocabulary.ts';
import type { BodyKind, Operation, OperationContext } from './operation.ts';

/** Reads one parameter. Throws a 400 for an invalid value. */
export type Reader<T> = (inputs: Inputs, name: string, context: OperationContext) => T;
type Readers = Readonly<Record<string, Reader<unknown>>>;
type Given<R extends Readers> = { readonly [K in keyof R]: ReturnType<R[K]> };

/** Such as `2.0,2.1 PUT /settings`. */
type Route = `${string} ${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;
type Run<G> = (given: G, context: OperationContext, inputs: Inputs) => object;

/** A row of the table of operations. `reads` has every parameter, also those of the path. */
export function operation<const R extends Readers>(
  name: string,
  route: Route,
  summary: string,
  reads: R,
  run: Run<Given<R>>,
): Operation {
  const [given = '', method = '', path = ''] = route.split(' ');
  const versions = given.split(',') as ApiVersion[];
  const parameters = Object.keys(reads).filter((one) => !path.includes(`:${one}`));
  return {
    name,
    summary,
    method: method.toLowerCase() as Operation['method'],
    path,
    versions,
    parameters,
    body: parameters.length === 0 || method === 'GET' ? 'none' : bodyOf(versions),
    run(inputs, context) {
      const values = Object.entries(reads).map(([one, read]) => [one, read(inputs, one, context)]);
      return run(Object.fromEntries(values), context, inputs);
    },
  };
}

/** Version 3.1 reads JSON, and also a form where the older versions have the operation too. */
function bodyOf(versions: readonly ApiVersion[]): BodyKind {
  if (!versions.includes('3.1')) return 'form';
  return versions.length === 1 ? 'json' : 'json-or-form';
}

/** The same for an operation of version 3.1 whose JSON body has a schema. */
export function written<S extends z.ZodObject>(
  name: string,
  route: Route,
  summary: string,
  schema: S,
  run: Run<z.output<S>>,
): Operation {
  const row = operation(name, route, summary, {}, () => ({}));
  return {
    ...row,
    parameters: Object.keys(schema.shape),
    body: 'json',
    run: (inputs, context) => run(matchingInputs(schema, inputs), context, inputs),
  };
}

export const required =
  <T>(read: Reader<T | undefined>): Reader<T> =>
  (inputs, name, context) =>
    requiredParameter(name, read(inputs, name, context));
