import { type Item, serviceNow } from './items.ts';
import { groupMembership } from './outage-list.ts';
import { availabilityIn } from './past-bars.ts';
import { requireOnce } from './query.ts';
import { availabilityOfBudget, type ShownRange, shownRanges } from './shown-range.ts';
import { isProblem, states, urgencyOf } from './urgency.ts';

const sortKeys = ['state', 'name', 'availability', 'response', 'budget'] as const;
export type SortKey = (typeof sortKeys)[number];

/** Longer searches are cut to this many words, because each word is searched for in every item. */
const maxWords = 10;

/** `problem` selects all states but up and paused; `maintenance` the items in maintenance now. */
export const stateFilters = ['problem', ...states, 'maintenance'] as const;
type StateFilter = (typeof stateFilters)[number];

export const pageSizes = [25, 50, 100] as const;
const defaultPageSize = 50;
/** Longer searches are cut. */
const maxSearchLength = 200;

/** The shown part of the list and its order. The address of the page contains all of it. */
export interface ItemQuery {
  readonly search: string;
  readonly state: StateFilter | undefined;
  readonly tag: string;
  readonly account: string;
  /** The name of a group. */
  readonly group: string;
  readonly sort: SortKey;
  readonly descending: boolean;
  readonly range: ShownRange;
  /** From 1. */
  readonly page: number;
  readonly size: number;
}

const singleParameters = ['q', 'state', 'tag', 'sort', 'order', 'window', 'size', 'page'];

/**
 * Unknown values are ignored, so that old bookmarks still show a list. Throws a `QueryError` for a
 * parameter that is given more than once.
 */
export function parseItemQuery(parameters: URLSearchParams): ItemQuery {
  requireOnce(parameters, singleParameters);
  const search = (parameters.get('q') ?? '').trim().slice(0, maxSearchLength);
  const sort = oneOf(sortKeys, parameters.get('sort')) ?? 'state';
  const size = Number(parameters.get('size'));
  const page = Math.floor(Number(parameters.get('page')));
  return {
    search,
    state: oneOf(stateFilters, parameters.get('state')),
    tag: parameters.get('tag') ?? '',
    account: parameters.get('account') ?? '',
    group: parameters.get('group') ?? '',
    sort,
    descending: parameters.get('order') === 'desc',
    range: oneOf(shownRanges, parameters.get('window')) ?? '24h',
    page: page >= 1 && page <= Number.MAX_SAFE_INTEGER ? page : 1,
    size: pageSizes.find((one) => one === size) ?? defaultPageSize,
  };
}

/** Returns the query string of another part, without its question mark; by default page 1. */
export function itemQueryString(query: ItemQuery, change: Partial<ItemQuery> = {}): string {
  const next = { ...query, page: 1, ...change };
  const all: readonly (readonly [string, string | undefined, string])[] = [
    ['q', next.search, ''],
    ['state', next.state, ''],
    ['tag', next.tag, ''],
    ['account', next.account, ''],
    ['group', next.group, ''],
    ['sort', next.sort, 'state'],
    ['order', next.descending ? 'desc' : '', ''],
    ['window', next.range, '24h'],
    ['size', `${next.size}`, `${defaultPageSize}`],
    ['page', `${next.page}`, '1'],
  ];
  const parameters = new URLSearchParams();
  for (const [name, value, usual] of all) {
    if (value !== undefined && value !== usual) parameters.set(name, value);
  }
  return parameters.toString();
}

export interface ItemSelection {
  readonly query: ItemQuery;
  /** The items of this page. */
  readonly items: readonly Item[];
  /** The number of items that match the filters. */
  readonly total: number;
  readonly pages: number;
}

/**
 * Filters, sorts and cuts the list. A page number past the end gives the last page.
 *
 * @param nowSeconds by the clock of this machine
 */
export function selectItems(
  all: readonly Item[],
  query: ItemQuery,
  nowSeconds: number,
): ItemSelection {
  const fitting = all.filter(filterOf(query));
  const pages = Math.max(1, Math.ceil(fitting.length / query.size));
  const page = Math.min(query.page, pages);
  const sorted = sortItems(fitting, query, nowSeconds);
  const items = sorted.slice((page - 1) * query.size, page * query.size);
  return { query: { ...query, page }, items, total: fitting.length, pages };
}

function filterOf({ search, state, tag, account, group }: ItemQuery): (item: Item) => boolean {
  const isMember = groupMembership(group === '' ? [] : [group]);
  const words = [...new Set(search.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, maxWords);
  return (item) =>
    (account === '' || item.account === account) &&
    (state === undefined || isIn(state, item)) &&
    isMember(item) &&
    (tag === '' || item.tags.some(({ name }) => name === tag)) &&
    (words.length === 0 || hasWords(item, words));
}

function isIn(filter: StateFilter, { state, inMaintenance }: Item): boolean {
  if (filter === 'maintenance') return inMaintenance;
  if (filter === 'problem') return isProblem(state);
  return state === filter;
}

/** Returns whether each word is in the name, the host, the id or a tag. */
function hasWords(item: Item, words: readonly string[]): boolean {
  const text = `${item.name}\n${item.hostname ?? ''}\n${item.id}`.toLowerCase();
  return words.every(
    (word) =>
      text.includes(word) || item.tags.some(({ name }) => name.toLowerCase().includes(word)),
  );
}

/** Unknown values come last in either direction. Equal values are ordered by name, then by id. */
function sortItems(
  items: readonly Item[],
  { sort, descending, range }: ItemQuery,
  nowSeconds: number,
): Item[] {
  const sortValue = (item: Item): number | undefined => {
    switch (sort) {
      case 'state':
        return urgencyOf(item.state, item.inMaintenance);
      case 'availability':
        // The states of the others are not searched: there may be tens of thousands of checks.
        return item.state === 'paused'
          ? availabilityIn(item, range, serviceNow(item.status, nowSeconds))
          : availabilityOfBudget(item.budget, range);
      case 'response':
        return item.responseSeconds;
      case 'budget':
        return item.budget?.remainingRatio;
      case 'name':
        return 0;
    }
  };
  const keyed = items.map((item) => ({
    item,
    value: sortValue(item),
    name: item.name.toLowerCase(),
  }));
  const sign = descending ? -1 : 1;
  const signOfNames = sort === 'name' ? sign : 1;
  keyed.sort((a, b) => {
    if (a.value !== b.value) {
      if (a.value === undefined) return 1;
      if (b.value === undefined) return -1;
      return sign * (a.value - b.value);
    }
    if (a.name !== b.name) return a.name < b.name ? -signOfNames : signOfNames;
    return a.item.id - b.item.id;
  });
  return keyed.map(({ item }) => item);
}

function oneOf<const T extends string>(choices: readonly T[], text: string | null): T | undefined {
  return choices.find((name) => name === text);
}
