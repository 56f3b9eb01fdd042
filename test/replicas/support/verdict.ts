import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { shownAsZeroMilliseconds } from '../../../src/state/items/begun-counters.ts';
import type { StoredAccount } from '../../../src/store/store.ts';
import { checkResults, checkStates, transactionStatesTruth } from '../../support/service-truth.ts';
import { bookedSpan, readSpan, shownOf, shownResults } from '../../support/shown-totals.ts';
import { concurrency, reserveShare, type SandboxAccount } from './accounts.ts';
import { fenceProblems, witnessCommits, witnessedChanges } from './commit-witness.ts';
import type { Lab } from './lab.ts';
import { requestProblems } from './request-law.ts';
import { storedItems } from './stored-items.ts';

/** UNIX seconds from which on the states of each item are counted. */
type Starts = ReadonlyMap<string, number>;

/** Resolves when every account is served and counts; with the times from which on. */
export async function counting(lab: Lab): Promise<Starts> {
  const starts = new Map<string, number>();
  for (const account of lab.accounts) {
    await lab.holderOf(account.name);
    const items = await itemsPast(lab, account, 0);
    for (const [item, from] of startsOf(account.name, items)) starts.set(item, from);
  }
  await witnessCommits(lab);
  return starts;
}

/**
 * All problems that have been seen, after everything was healed: the laws of the scrapes and of the
 * requests, and the comparison of all totals with the service.
 */
export async function problemsOf(lab: Lab, starts: Starts): Promise<string[]> {
  const problems = await Promise.all(
    lab.accounts.map((account) => problemsOfAccount(lab, account, starts)),
  );
  await lab.stopScraping();
  return [...problems.flat(), ...(await lawsBroken(lab))];
}

async function problemsOfAccount(
  lab: Lab,
  account: SandboxAccount,
  starts: Starts,
): Promise<string[]> {
  const healed = lab.now;
  const from = account.nowSeconds();
  await lab.holderOf(account.name);
  lab.note(`${account.name} is served ${((lab.now - healed) / 1000).toFixed(1)} s after healing`);
  const items = await itemsPast(lab, account, from);
  const problems = await differences(lab, account);
  for (const [item, start] of startsOf(account.name, items)) {
    const before = starts.get(item) ?? start;
    if (start === before || (lab.resets > 0 && start > before)) continue;
    problems.push(`${item} is counted from ${start}, and was from ${before}`);
  }
  return problems;
}

/** The problems that the scrapes, the requests and the commits have shown. */
export async function lawsBroken(lab: Lab): Promise<string[]> {
  const problems = lab.union.falls.map(
    ({ sample, from, to, replicas, at }) =>
      `${lab.timeOf(at)}: ${sample} fell from ${from} (${replicas[0]}) to ${to} (${replicas[1]})`,
  );
  for (const account of lab.accounts) {
    const changes = await witnessedChanges(lab, account.name);
    const takes = changes.filter(({ isTake }) => isTake);
    problems.push(
      ...[
        ...fenceProblems(changes),
        ...requestProblems(account.requests, takes, concurrency),
        ...reserveProblems(account, takes.length),
      ].map((problem) => `${account.name}: ${problem}`),
    );
  }
  return [...problems, ...lab.problems];
}

/** The service may have counted requests whose responses nobody has read. */
function reserveProblems(account: SandboxAccount, takes: number): string[] {
  const reserve = account.limit * reserveShare - concurrency * (takes + 1);
  const least = account.least();
  return least < reserve ? [`${least} requests were left of ${account.limit}`] : [];
}

/** Results may wait for 35 minutes of the service's time, which runs ten times as fast by default. */
const patienceMilliseconds = 420_000;

/**
 * Resolves when all states of the account until then are counted. Results are read later, as the
 * budget allows.
 */
async function itemsPast(
  lab: Lab,
  account: SandboxAccount,
  seconds: number,
): Promise<StoredAccount['items']> {
  const { world } = account.sandbox;
  const deadline = performance.now() + patienceMilliseconds;
  for (;;) {
    const items = await storedItems(lab.pair, account.name).catch(() => undefined);
    const checks = [...(items?.check.values() ?? [])];
    const isDone =
      items !== undefined &&
      checks.length === world.checks.length &&
      checks.every((item) => item.results !== undefined && bookedSpan(item).toSeconds > seconds);
    if (isDone) return items;
    if (performance.now() > deadline) {
      throw new Error(`${account.name} is not counted until ${seconds}; ${lab.evidence()}`);
    }
    await delay(200);
  }
}

function* startsOf(account: string, items: StoredAccount['items']): Generator<[string, number]> {
  for (const kind of ['check', 'transaction'] as const) {
    for (const [id, item] of items[kind]) {
      yield [`${account} ${kind} ${id}`, bookedSpan(item).fromSeconds];
    }
  }
}

/**
 * Differences between the page and the service, up to the times that are stored. A page is a moment
 * behind the database, and shows new series with 0 first.
 */
async function differences(lab: Lab, account: SandboxAccount): Promise<string[]> {
  const deadline = performance.now() + 30_000 + (1.5 * shownAsZeroMilliseconds) / lab.speed;
  for (;;) {
    const found = await differencesNow(lab, account);
    if (found.length === 0 || performance.now() > deadline) return found;
    await delay(300);
  }
}

async function differencesNow(lab: Lab, { name, sandbox, nowSeconds }: SandboxAccount) {
  const [server] = lab.serversOf(name);
  const samples = server?.latest?.samples;
  if (samples === undefined) return [`${name} is not served`];
  const items = await storedItems(lab.pair, name);
  const now = nowSeconds();
  const found: string[] = [];
  const compare = (what: string, shown: object, truth: object) => {
    if (isDeepStrictEqual(shown, truth)) return;
    found.push(`${what} shows ${JSON.stringify(shown)}, in truth ${JSON.stringify(truth)}`);
  };
  try {
    for (const [id, item] of items.check) {
      const { seconds, outages } = checkStates(sandbox, id, bookedSpan(item), now);
      compare(`${name} check ${id}`, shownOf(samples, 'check', name, id), { seconds, outages });
      const results = checkResults(sandbox, id, readSpan(item));
      compare(`${name} results of ${id}`, shownResults(samples, name, id), results);
    }
    for (const [id, item] of items.transaction) {
      const { seconds, outages } = transactionStatesTruth(sandbox, id, bookedSpan(item), now);
      const shown = shownOf(samples, 'transaction', name, id);
      compare(`${name} transaction ${id}`, shown, { seconds, outages });
    }
  } catch (error) {
    found.push(error instanceof Error ? error.message : String(error));
  }
  return found;
}
