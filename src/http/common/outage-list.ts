import type { TimeRange } from '../../domain/interval.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { present } from '../../lib/present.ts';
import { sortInTurns } from '../../lib/sort-in-turns.ts';
import type { LastOutage } from '../../slo/last-outages.ts';
import { type MaintenanceShare, maintenanceShareOf } from '../../slo/maintenance-share.ts';
import { knownUntil, outagesWithin } from '../../slo/reported-states.ts';
import type { AccountStatus, StatusSource } from '../ports.ts';
import { requireGroups } from './group-problem.ts';
import { type Item, itemPastOf, itemStatesOf, itemsOfAccount, serviceNow } from './items.ts';
import { itemFilterOf, queryOf, requireOwned, timeParameter } from './query.ts';
import { QueryError } from './query-errors.ts';
import { type UnreadAccount, unreadAccounts } from './unread-accounts.ts';

/** An outage of a check or transaction. UNIX seconds. */
export interface ItemOutage {
  readonly item: Item;
  readonly outage: LastOutage;
  /** Its end, or the time up to which it is known. */
  readonly untilSeconds: number;
}

/** Everything that is known, also if a clock is wrong. */
export const allTime: TimeRange = {
  fromSeconds: Number.NEGATIVE_INFINITY,
  toSeconds: Number.POSITIVE_INFINITY,
};

/** The outages that a request asks for. */
interface OutageQuery {
  readonly accounts: readonly AccountStatus[];
  readonly matches: (item: Item) => boolean;
  /** The requested period, at a time of the service's clock. */
  readonly periodAt: (nowSeconds: number) => TimeRange;
}

const filters = ['account', 'group', 'tag', 'check'];

interface OutageQueryOptions {
  /** The length of the period without `from`, in seconds. */
  readonly defaultSeconds: number;
  /** Further parameters that the path has. */
  readonly others?: readonly string[];
}

/**
 * Reads `account`, `group`, `tag` and `check`, which are repeatable, `from` and `to`. A form sends
 * an empty value for what is not chosen. Throws a `QueryError`, an `ElsewhereError` for an account of
 * another replica, or a `NotReadyError` if this one owns none.
 */
export function outageQueryOf(
  url: string,
  status: StatusSource,
  { defaultSeconds, others = [] }: OutageQueryOptions,
): { readonly query: URLSearchParams; readonly asked: OutageQuery } {
  const query = queryOf(url, { once: ['from', 'to', ...others], repeatable: filters });
  for (const name of filters) query.delete(name, '');
  const { accounts, elsewhere, hasTag } = itemFilterOf(query, status);
  requireOwned(query.getAll('account'), accounts, elsewhere);
  requireGroups(query.getAll('group'), accounts, elsewhere);
  const isMember = groupMembership(query.getAll('group'));
  const isNamed = nameFilter(query.getAll('check'));
  const matches = (item: Item) => hasTag(item.tags) && isMember(item) && isNamed(item);
  const [from, to] = [timeParameter(query, 'from'), timeParameter(query, 'to')];
  const periodAt = (nowSeconds: number) => {
    const toSeconds = to ?? nowSeconds;
    const fromSeconds = from ?? toSeconds - defaultSeconds;
    if (fromSeconds > toSeconds) throw new QueryError('"from" must not be after "to"');
    return { fromSeconds, toSeconds };
  };
  return { query, asked: { accounts, matches, periodAt } };
}

/** The accounts of a request whose newer outages are not known, because they cannot be read. */
export function unreadIn(
  status: StatusSource,
  { accounts }: Pick<OutageQuery, 'accounts'>,
): readonly UnreadAccount[] {
  const names = new Set(accounts.map(({ snapshot }) => snapshot.account));
  return unreadAccounts(status).filter(({ account }) => names.has(account));
}

/** Without groups, every item is a member. */
export function groupMembership(groups: readonly string[]): (item: Item) => boolean {
  if (groups.length === 0) return () => true;
  const members = new Map<AccountStatus, ReadonlySet<number>>();
  return ({ kind, id, status }) =>
    kind === 'check' &&
    getOrMake(members, status, () => {
      const rows = status.snapshot.groups?.filter(({ name }) => groups.includes(name));
      return new Set(rows?.flatMap(({ checkIds }) => checkIds));
    }).has(id);
}

/** A number is an id, other text a part of the name. Without texts, every item matches. */
export function nameFilter(texts: readonly string[]): (item: Pick<Item, 'id' | 'name'>) => boolean {
  const names = texts.map((text) => text.trim().toLowerCase());
  return ({ id, name }) =>
    names.length === 0 ||
    names.some((text) =>
      /^\d{1,15}$/.test(text) ? `${id}` === text : name.toLowerCase().includes(text),
    );
}

interface ListOptions extends OutageQuery {
  readonly nowSeconds: number;
  /** Awaited after each step of the work. */
  readonly yieldIfDue: () => Promise<void>;
}

const itemsPerStep = 64;

/** The outages of a period, the latest first. */
export async function outageList(options: ListOptions): Promise<readonly ItemOutage[]> {
  const { accounts, matches, periodAt, nowSeconds, yieldIfDue } = options;
  const list: ItemOutage[] = [];
  for (const account of accounts) {
    const now = serviceNow(account, nowSeconds);
    const period = periodAt(now);
    let place = 0;
    for (const item of itemsOfAccount(account)) {
      if (place++ % itemsPerStep === 0) await yieldIfDue();
      if (matches(item)) list.push(...outagesOfItem(item, period, now));
    }
  }
  return sortInTurns(list, (a, b) => b.outage.fromSeconds - a.outage.fromSeconds, yieldIfDue);
}

/** The outages of an item that overlap a period, oldest first. */
export function outagesOfItem(
  item: Item,
  period: TimeRange,
  nowSeconds: number,
): readonly ItemOutage[] {
  const states = itemStatesOf(item);
  if (states === undefined) return [];
  const within = outagesWithin(states, period, nowSeconds);
  if (within.length === 0) return [];
  // Causes are known of the last outages only.
  const { outages = [] } = itemPastOf(item) ?? {};
  return within.map((outage) => {
    const { causes = [], analysisId } =
      outages.find(({ fromSeconds }) => fromSeconds === outage.fromSeconds) ?? {};
    return {
      item,
      outage: { ...outage, causes, ...present({ analysisId }) },
      untilSeconds: knownUntil(states, outage),
    };
  });
}

/** An ongoing outage is in maintenance if its known part is. */
export function maintenanceOf(item: Item, outage: LastOutage): MaintenanceShare {
  const states = itemStatesOf(item);
  const { maintenance = [] } = itemPastOf(item) ?? {};
  return states === undefined ? 'none' : maintenanceShareOf(states, outage, maintenance);
}
