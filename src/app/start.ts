import type { AccountSettings } from '../config/account.ts';
import type { AccountFeature } from '../feature.ts';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import type { AccountState } from '../state/account-state.ts';
import type { AccountStorage } from '../state/account-storage.ts';
import type { ListedItem } from '../state/leaving.ts';
import { itemKinds } from '../store/store.ts';
import type { AccountEvents } from './account-events.ts';
import type { NewBeginning } from './new-beginning.ts';
import type { AccountRow } from './removed-accounts.ts';
import { type LimitingParts, restoreBudget } from './stored-budget.ts';

interface ExporterParts {
  readonly createAccounts: () => void;
  readonly listen: () => Promise<void>;
  readonly accounts: { restore(): Promise<void>; start(): void };
  readonly ownership: { start(): Promise<void> };
  readonly page: { showNow(): Promise<void> };
  readonly restored: () => void;
}

/**
 * What happens at a start, once the configuration is read and the store is open. A shared store
 * restores and starts its accounts later, when this process acquires them.
 */
export async function startExporter(parts: ExporterParts): Promise<void> {
  const { createAccounts, listen, accounts, ownership, page, restored } = parts;
  createAccounts();
  await listen();
  // Each account as `restoreAccount` describes.
  await accounts.restore();
  await ownership.start();
  // The first page has the stored data, before anything is requested.
  await page.showNow();
  restored();
  // Their pollers take the first tasks from the agenda.
  accounts.start();
}

interface RestoredParts {
  readonly settings: AccountSettings;
  readonly storage: AccountStorage;
  readonly state: AccountState;
  readonly features: readonly AccountFeature[];
  readonly newBeginning: NewBeginning;
  readonly budget: LimitingParts;
  readonly events: Pick<AccountEvents, 'recordsLost'>;
  readonly readsTransactions: boolean;
}

/** The stopped account with the previous settings. */
type Predecessor = Pick<RestoredParts, 'storage' | 'state'>;

/**
 * What happens to an account before it is started. After a change of settings, `predecessor` has the
 * parts of the stopped account with the previous settings, whose unstored state this one takes
 * over. Resolves with the row of the account; rejects with a `StoreError` if it cannot be read.
 */
export async function restoreAccount(
  parts: RestoredParts,
  predecessor?: Predecessor,
): Promise<AccountRow> {
  const { storage, state, features, newBeginning, budget, events } = parts;
  const { documents, lost, ...restored } = await storage.load(predecessor?.storage);
  events.recordsLost(lost);
  await yieldToEventLoop();
  state.restore(restored);
  if (restored.mustBeginAgain) newBeginning.await();
  for (const feature of features) feature.restore(documents);
  if (predecessor !== undefined) {
    state.changes.add(predecessor.state.changes);
    for (const feature of features) feature.notStored();
  }
  leaveUnmonitored(parts);
  restoreBudget(budget, documents, predecessor !== undefined);
  return documents.get('account') ?? {};
}

/**
 * Items that are stored, and that the settings do not monitor, leave; and those that had left when the
 * last process ended before more than their totals was stored.
 */
function leaveUnmonitored({ settings, state, readsTransactions }: RestoredParts): void {
  const { filter = () => true } = settings;
  const isExcluded = ({ entry }: ListedItem) => !filter(entry);
  state.leave('check', idsOf(state.checks, isExcluded), 'filter');
  if (readsTransactions) {
    state.leave('transaction', idsOf(state.transactions, isExcluded), 'filter');
  } else state.leaveAll('transaction', 'dataset');
  for (const kind of itemKinds) {
    const hadLeft = [...state.itemsOf(kind).unstored()].map(({ entry }) => entry.id);
    state.leave(kind, hadLeft, 'list');
  }
}

function idsOf<R extends ListedItem>(
  items: { records(): Iterable<R> },
  isLeaving: (item: R) => boolean,
): readonly number[] {
  return [...items.records()].filter(isLeaving).map(({ entry }) => entry.id);
}
