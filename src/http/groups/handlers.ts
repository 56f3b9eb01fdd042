import type { RequestHandler } from 'express';
import { unixSeconds } from '../../lib/clock.ts';
import { startSlices, yieldToEventLoop } from '../../lib/event-loop.ts';
import { didYouMean } from '../../lib/nearest-word.ts';
import { isLeftOut, leftOutText } from '../common/group-problem.ts';
import { sendHtml } from '../common/html-response.ts';
import { parseItemQuery } from '../common/list-query.ts';
import { allTime, groupMembership, outageList } from '../common/outage-list.ts';
import {
  accountsIn,
  asFarAsKnown,
  otherAccounts,
  parametersIn,
  requireOnce,
  requireOwned,
  whereSearched,
} from '../common/query.ts';
import { explained } from '../common/query-errors.ts';
import { sendNotFound } from '../common/send-not-found.ts';
import { hidesChecks } from '../common/shown-lists.ts';
import type { Exchange, PageOptions, SiteAt } from '../common/site.ts';
import type { AccountStatus, Href, StatusSource } from '../ports.ts';
import { groupNamed, worstFirst } from './group-standing.ts';

export function groupsHandler(options: PageOptions, at: SiteAt): RequestHandler {
  const { status } = options;
  return explained(async (request, response) => {
    const accounts = status.accounts();
    const parameters = parametersIn(request.url);
    requireOnce(parameters, ['group', 'account']);
    parameters.delete('account', '');
    requireOwned(parameters.getAll('account'), accounts, otherAccounts(status));
    const name = parameters.get('group');
    if (name !== null) {
      await sendGroup(options, at, { request, response }, { name, depth: 0 });
      return;
    }
    const { groupsView } = await import('./group-view.tsx');
    const shown = accountsIn(parameters, accounts, ({ snapshot }) => snapshot.account);
    await sendHtml({ request, response }, groupsView(at(0), shown));
  });
}

export function groupHandler(options: PageOptions, at: SiteAt): RequestHandler {
  return explained((request, response) => {
    const name = request.params.name?.toString() ?? '';
    return sendGroup(options, at, { request, response }, { name, depth: 1 });
  });
}

function missingGroupText(
  name: string,
  status: StatusSource,
  accounts: readonly AccountStatus[],
): string {
  if (isLeftOut(name, accounts)) return `${leftOutText(name)}.`;
  const hidden = accounts.filter(({ snapshot }) => hidesChecks(snapshot));
  const shown = accounts.filter((account) => !hidden.includes(account));
  const existing = shown.flatMap(({ snapshot }) => snapshot.groups ?? []).map((row) => row.name);
  const isNot = `There is no such group now${whereSearched(status)}${asFarAsKnown(hidden)}`;
  return `${isNot}${didYouMean(name, existing) || '.'}`;
}

/** Sends the group of every account that has one with the name; `account=` chooses. */
async function sendGroup(
  { status, clock }: PageOptions,
  at: SiteAt,
  { request, response }: Exchange,
  { name, depth }: { readonly name: string; readonly depth: number },
): Promise<void> {
  const parameters = parametersIn(request.url);
  requireOnce(parameters, ['account']);
  const query = parseItemQuery(parameters);
  const chosen = query.account === '' ? [] : [query.account];
  requireOwned(chosen, status.accounts(), otherAccounts(status));
  const accounts = status
    .accounts()
    .filter(({ snapshot }) => chosen.length === 0 || chosen.includes(snapshot.account));
  const found = accounts.flatMap((account) => {
    const standing = groupNamed(account, name);
    return standing === undefined ? [] : [{ status: account, standing }];
  });
  found.sort((a, b) => worstFirst(a.standing, b.standing));
  if (found.length === 0) {
    await sendNotFound({ request, response }, at, missingGroupText(name, status, accounts));
    return;
  }
  const nowSeconds = unixSeconds(clock);
  const yieldIfDue = startSlices({ clock, yieldToEventLoop });
  const site = at(depth);
  const href: Href = (path) => `${site.root}${path}`;
  const { groupItems, groupView } = await import('./group-view.tsx');
  const shown = [];
  for (const { status: account, standing } of found) {
    const summed = await groupItems(account, name, nowSeconds, yieldIfDue);
    const matches = groupMembership([name]);
    const asked = { accounts: [account], matches, periodAt: () => allTime };
    const parts = [];
    for (const feature of account.features ?? []) {
      parts.push((await feature.groupPart?.(name, href)) ?? []);
    }
    const outages = await outageList({ ...asked, nowSeconds, yieldIfDue });
    shown.push({ status: account, standing, ...summed, outages, parts: parts.flat() });
  }
  // The links of the list keep what has selected the group.
  const rows = { ...query, group: depth === 0 ? name : '' };
  const props = { site, name, groups: shown, accounts, query: rows };
  await sendHtml({ request, response }, groupView(props));
}
