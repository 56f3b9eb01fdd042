import type { Numbered } from '../account/numbered.ts';
import type { World } from '../account/world.ts';
import { day } from '../lib/instant.ts';
import { HttpError } from '../server/http-error.ts';
import {
  booleanParameter,
  enumListParameter,
  enumParameter,
  type Inputs,
  integerListParameter,
  integerParameter,
  pageParameters,
  type Range,
  requiredParameter,
} from '../server/parameters.ts';
import type { ApiVersion } from '../vocabulary.ts';
import type { Wire } from '../wire.ts';
import type { OperationContext } from './operation.ts';
import { type Reader, together } from './table.ts';

// Readers of parameters that several operations have.

/** False if the parameter is absent. */
export const flag: Reader<boolean> = (inputs, name) => booleanParameter(inputs, name);

export const integer =
  (range: Range): Reader<number | undefined> =>
  (inputs, name) =>
    integerParameter(inputs, name, range);

/** A number of 0 or more, such as a time in UNIX seconds. */
export const count = integer({ min: 0 });

export const oneOf =
  <W extends string>(...words: readonly W[]): Reader<W | undefined> =>
  (inputs, name) =>
    enumParameter(inputs, name, words);

export const someOf =
  <W extends string>(...words: readonly W[]): Reader<readonly W[]> =>
  (inputs, name) =>
    enumListParameter(inputs, name, words);

/** The order of a list or a report; by default oldest or smallest first. */
export const order: Reader<'asc' | 'desc'> = (inputs, name) =>
  enumParameter(inputs, name, ['asc', 'desc']) ?? 'asc';

/** The entries, given oldest first, in an order. */
export function inOrder<T>(wanted: 'asc' | 'desc', oldestFirst: readonly T[]): readonly T[] {
  return wanted === 'desc' ? oldestFirst.toReversed() : oldestFirst;
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** A result page of a list in which `offset` requires `limit`. */
export const strictPage = (defaultLimit: number, largestLimit = Number.MAX_SAFE_INTEGER) =>
  together<Page>(['limit', 'offset'], (inputs) =>
    pageParameters(inputs, defaultLimit, largestLimit),
  );

/** The largest limit and offset that are accepted; without one there is no bound. */
type PageBounds = Partial<Page>;

/** A result page of a list. */
export const page = (
  defaultLimit: number,
  boundsOf: (version: ApiVersion) => PageBounds = () => ({}),
) =>
  together<Page>(['limit', 'offset'], (inputs, { version }) => {
    const { limit: maxLimit, offset: maxOffset } = boundsOf(version);
    return {
      limit: integerParameter(inputs, 'limit', { min: 1, max: maxLimit }) ?? defaultLimit,
      offset: integerParameter(inputs, 'offset', { min: 0, max: maxOffset }) ?? 0,
    };
  });

export function pageOf<T>(things: readonly T[], { limit, offset }: Page): readonly T[] {
  return things.slice(offset, offset + limit);
}

/** UNIX seconds. Tests at either end are in the period; its duration is `to - from`. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/**
 * The requested period of a report, which ends now at the latest. Throws a 400 for a period that
 * ends before it begins.
 */
export function periodOf(inputs: Inputs, now: number, defaultFrom: (to: number) => number): Period {
  const until = integerParameter(inputs, 'to', { min: 0 }) ?? now;
  const to = Math.min(until, now);
  const from = integerParameter(inputs, 'from', { min: 0 }) ?? Math.max(0, defaultFrom(to));
  if (from <= until) return { from: Math.min(from, to), to };
  const message = `Parameter from must not be later than parameter to: ${from}, ${until}`;
  throw new HttpError(400, message);
}

export const period = (defaultFrom: (to: number) => number = () => 0) =>
  together(['from', 'to'], (inputs, { now }) => periodOf(inputs, now, defaultFrom));

const longestStatesSeconds = 31 * day;

/** The period of a report of states. Throws a 400 for one that is longer than the wire allows. */
export function statesPeriod(
  { from, to }: Period,
  { statesSpan }: Pick<Wire, 'statesSpan'>,
): Period {
  if (statesSpan === 'any' || to - from <= longestStatesSeconds) return { from, to };
  throw new HttpError(400, 'The period must not exceed 31 days');
}

/** Returns whether a name is selected. An empty list selects all. */
export function selection<T>(names: readonly T[]): (name: T) => boolean {
  const set = new Set(names);
  return (name) => set.size === 0 || set.has(name);
}

type StoreOf<T extends { readonly id: number }> = (
  world: World,
) => Pick<Numbered<T>, 'find' | 'known'>;

/** The thing that a request names. Throws a 404 for an unknown identifier. */
function identified<T extends { readonly id: number }>(
  storeOf: StoreOf<T>,
  unknown: (id: number) => string,
  status = 404,
): Reader<T> {
  return (inputs, name, { world }) => {
    const id = requiredParameter(name, integerParameter(inputs, name, { min: 0 }));
    const thing = storeOf(world).find(id);
    if (thing === undefined) throw new HttpError(status, unknown(id));
    return thing;
  };
}

/** Like the service, throws a 403 for an unknown identifier. */
export const checkById = identified(
  (world) => world.registry,
  () => 'Invalid check identifier',
  403,
);
export const transactionById = identified(
  (world) => world.transactions,
  (id) => `No transaction check has the identifier ${id}`,
);
export const windowById = identified(
  (world) => world.maintenance.windows,
  (id) => `There is no maintenance window ${id}`,
);
export const occurrenceById = identified(
  (world) => world.maintenance.occurrences,
  (id) => `There is no maintenance occurrence ${id}`,
);
export const contactById = identified(
  (world) => world.people.people,
  (id) => `No contact has the identifier ${id}`,
);
export const userById = identified(
  (world) => world.people.people,
  (id) => `No user has the identifier ${id}`,
);
export const teamById = identified(
  (world) => world.people.teams,
  (id) => `No team has the identifier ${id}`,
);
export const emailReportById = identified(
  (world) => world.accountReports.email,
  (id) => `No report has the identifier ${id}`,
);
export const bannerById = identified(
  (world) => world.accountReports.banners,
  (id) => `No banner has the identifier ${id}`,
);

/** The things of a list of identifiers; unknown ones are ignored. */
export const known =
  <T extends { readonly id: number }>(storeOf: StoreOf<T>): Reader<readonly T[]> =>
  (inputs, name, { world }) =>
    storeOf(world).known(requiredParameter(name, integerListParameter(inputs, name)));

/**
 * A list of identifiers. Throws a 400 for one that does not exist; `what` is its kind, such as
 * `team`.
 */
export const existing =
  <T extends { readonly id: number }>(
    storeOf: StoreOf<T>,
    what: string,
  ): Reader<readonly number[]> =>
  (inputs, name, { world }) => {
    const ids = integerListParameter(inputs, name);
    const unknown = ids.find((id) => storeOf(world).find(id) === undefined);
    if (unknown === undefined) return ids;
    throw new HttpError(400, `Parameter ${name} names ${unknown}, which is no ${what}`);
  };

/** Identifiers of people; undefined if the parameter is absent. Throws a 400 for unknown ones. */
export const people: Reader<readonly number[] | undefined> = (inputs, name, context) => {
  if (inputs[name] === undefined) return undefined;
  const ids = integerListParameter(inputs, name);
  requireMembers(ids, context);
  return ids;
};

/** Throws a 400 unless all are people of the account. */
export function requireMembers(ids: readonly number[], { world }: OperationContext): void {
  const stranger = ids.find((id) => world.people.people.find(id) === undefined);
  if (stranger !== undefined) throw new HttpError(400, `No contact has the identifier ${stranger}`);
}
