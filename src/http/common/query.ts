import type { CheckTag } from '../../domain/check.ts';
import { instantForms, parseInstant } from '../../lib/instant.ts';
import { didYouMean } from '../../lib/nearest-word.ts';
import type { AccountStatus, SharedAccountView, StatusSource } from '../ports.ts';
import { ElsewhereError, NotReadyError, QueryError } from './query-errors.ts';

/** The accounts, checks and transactions of a response; by default all. */
interface ItemFilter {
  readonly accounts: readonly AccountStatus[];
  /** Those of them that this replica does not serve. */
  readonly elsewhere: readonly SharedAccountView[];
  /** Returns whether one of the tags was requested. If no tag was requested, all match. */
  readonly hasTag: (tags: readonly CheckTag[]) => boolean;
}

/** Returns the parameters in the query of a URL. */
export function parametersIn(url: string): URLSearchParams {
  return new URLSearchParams(/\?(.*)/s.exec(url)?.[1]);
}

interface AllowedParameters {
  /** Given at most once. */
  readonly once: readonly string[];
  readonly repeatable?: readonly string[];
}

/** Returns the query of a URL. Throws a `QueryError` for another parameter, or one that is given too often. */
export function queryOf(
  url: string,
  { once, repeatable = [] }: AllowedParameters,
): URLSearchParams {
  const query = parametersIn(url);
  for (const name of query.keys()) requireOneOf('parameter', name, [...once, ...repeatable]);
  requireOnce(query, once);
  return query;
}

/** Throws a `QueryError` for a parameter that is given more than once: one of its values would be ignored. */
export function requireOnce(query: URLSearchParams, names: readonly string[]): void {
  const name = names.find((one) => query.getAll(one).length > 1);
  if (name !== undefined) throw new QueryError(`${name} is given more than once`);
}

/**
 * Reads `tag=`, repeatable. Throws a `QueryError` for an empty one, which no check has: a template may
 * have left it out.
 */
export function tagsIn(query: URLSearchParams): readonly string[] {
  const tags = query.getAll('tag');
  if (tags.includes('')) throw new QueryError('tag must not be empty');
  return tags;
}

/** Reads `account=` and `tag=`, both repeatable. Throws a `QueryError` for an unknown account. */
export function itemFilterOf(query: URLSearchParams, status: StatusSource): ItemFilter {
  const tags = new Set(tagsIn(query));
  const accounts = status.accounts();
  const nameOf = ({ snapshot }: AccountStatus) => snapshot.account;
  const elsewhere = elsewhereOf(accounts.map(nameOf), status);
  return {
    accounts: accountsIn(
      query,
      accounts,
      nameOf,
      elsewhere.map(({ account }) => account),
    ),
    elsewhere: accountsIn(query, elsewhere, ({ account }) => account, accounts.map(nameOf)),
    hasTag: (itemTags) => tags.size === 0 || itemTags.some(({ name }) => tags.has(name)),
  };
}

/** The accounts of the configuration that this replica does not serve; empty without replicas. */
export function elsewhereOf(
  served: readonly string[],
  { replicas }: Pick<StatusSource, 'replicas'>,
): readonly SharedAccountView[] {
  const { accounts = [] } = replicas?.() ?? {};
  return accounts.filter(({ account }) => !served.includes(account));
}

/** The accounts of the configuration whose status another replica has. */
export function otherAccounts(status: StatusSource): readonly SharedAccountView[] {
  const served = status.accounts().map(({ snapshot }) => snapshot.account);
  return elsewhereOf(served, status);
}

/** Returns in which accounts an id or a name was searched: other replicas have the rest. */
export function whereSearched(status: StatusSource): string {
  return otherAccounts(status).length === 0 ? '' : ' in the accounts of this replica';
}

/** Returns why something that was not found may exist: nothing is shown of these accounts. */
export function asFarAsKnown(hidden: readonly AccountStatus[]): string {
  if (hidden.length === 0) return '';
  const names = hidden.map(({ snapshot }) => JSON.stringify(snapshot.account)).join(', ');
  const whose = hidden.length === 1 ? `list of ${names} is` : `lists of ${names} are`;
  return `, as far as is known: the check ${whose} unread or too old`;
}

/** Throws an `ElsewhereError` if another replica has one of the named accounts. */
export function requireHere(
  names: readonly string[],
  elsewhere: readonly SharedAccountView[],
): void {
  const other = elsewhere.find(({ account }) => names.includes(account));
  if (other !== undefined) throw new ElsewhereError(other);
}

/**
 * Throws an `ElsewhereError` if another replica has one of the named accounts, or a `NotReadyError`
 * if this one owns none.
 */
export function requireOwned(
  names: readonly string[],
  owned: readonly unknown[],
  elsewhere: readonly SharedAccountView[],
): void {
  requireHere(names, elsewhere);
  if (owned.length > 0 || elsewhere.length === 0) return;
  throw new NotReadyError('this replica owns no account; the status page names the owners');
}

/**
 * Reads `account=`; without it all accounts. Throws a `QueryError` for a name that is neither of
 * these accounts nor of the `others`, which exist but are not selected.
 */
export function accountsIn<A>(
  query: URLSearchParams,
  accounts: readonly A[],
  nameOf: (account: A) => string,
  others: readonly string[] = [],
): readonly A[] {
  const names = query.getAll('account');
  const existing = [...accounts.map(nameOf), ...others];
  for (const name of names) requireOneOf('account', name, existing);
  return accounts.filter((account) => names.length === 0 || names.includes(nameOf(account)));
}

/** Throws a `QueryError` for a value that is not allowed; it names the allowed ones. */
export function requireOneOf(kind: string, value: string, allowed: readonly string[]): void {
  if (!allowed.includes(value)) throw new QueryError(unknownText(kind, value, allowed));
}

const maxListed = 20;

/** States what is known instead: all choices, or of many the nearest one. */
export function unknownText(kind: string, value: string, existing: readonly string[]): string {
  const unknown = `unknown ${kind} ${JSON.stringify(value)}`;
  if (existing.length === 0) return `${unknown}: there is none`;
  if (existing.length <= maxListed) return `${unknown}: expected one of ${existing.join(', ')}`;
  return `${unknown}${didYouMean(value, existing) || `; there are ${existing.length} others`}`;
}

/** Returns a parameter's time in UNIX seconds, if present. Throws a `QueryError`. */
export function timeParameter(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  // A plus sign that was not encoded arrives as a space.
  const seconds = parseInstant(text.replace(' ', '+'));
  if (seconds !== undefined) return seconds;
  throw new QueryError(`${JSON.stringify(name)} must be a time: ${instantForms}`);
}
