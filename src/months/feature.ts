import type { AccountFeature, AccountParts, Feature } from '../feature.ts';
import type { Href, ViewPart } from '../http/ports.ts';
import type { ListedItem } from '../state/leaving.ts';
import { type DocumentChanges, DocumentSet } from '../store/format/document-set.ts';
import type { ItemKind } from '../store/store.ts';
import { AccountMonths } from './account-months.ts';
import { indexName } from './documents.ts';
import { reportRoutes } from './http/handlers.ts';

/** The months of one account. */
class MonthsFeature implements AccountFeature {
  readonly name = 'months';
  readonly months: AccountMonths;
  readonly #parts: AccountParts;

  constructor(parts: AccountParts) {
    this.#parts = parts;
    this.months = new AccountMonths(parts);
  }

  arrived(): void {}

  left(kind: ItemKind, items: readonly ListedItem[]): void {
    this.months.removed(kind, items);
  }

  relabelled(): void {}

  refreshed(): void {
    this.months.refreshed();
  }

  restore(documents: DocumentSet): void {
    if (this.months.restore(documents.get(indexName))) return;
    const { account, log } = this.#parts;
    log.error({ account }, 'index of months unreadable; months are written from now on');
  }

  /** Months are stored when they are written. */
  takeChanges(): DocumentChanges {
    return new DocumentSet();
  }

  notStored(): void {}

  json(): undefined {
    return undefined;
  }

  note(): undefined {
    return undefined;
  }

  async groupPart(name: string, href: Href): Promise<ViewPart> {
    const { groupMonthsPart } = await import('./http/html.ts');
    return groupMonthsPart(this.months, name, href);
  }
}

/** The report of the month, for the list of optional features. */
export const monthsFeature: Feature = {
  ofAccount: (parts) => new MonthsFeature(parts),
  routes: ({ shown, ...others }) =>
    reportRoutes({
      ...others,
      months: () =>
        shown().flatMap((feature) => (feature instanceof MonthsFeature ? feature.months : [])),
    }),
};
