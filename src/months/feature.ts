import type { AccountFeature, AccountParts, Feature } from '../feature.ts';
import type { Href, ViewPart } from '../http/ports.ts';
import type { Leaving, ListedItem } from '../state/leaving.ts';
import type { DocumentChanges, DocumentSet } from '../store/format/document-set.ts';
import type { ItemKind } from '../store/store.ts';
import { AccountMonths } from './account-months.ts';
import { reportRoutes } from './http/handlers.ts';

/** The months of one account. */
class MonthsFeature implements AccountFeature {
  readonly name = 'months';
  readonly months: AccountMonths;

  constructor(parts: AccountParts) {
    this.months = new AccountMonths(parts);
  }

  arrived(): void {
    this.months.arrived();
  }

  left(kind: ItemKind, items: readonly ListedItem[], leaving: Leaving): void {
    this.months.left(kind, items, leaving);
  }

  relabelled(kind: ItemKind, before: readonly ListedItem['entry'][]): void {
    this.months.relabelled(kind, before);
  }

  refreshed(): void {
    this.months.refreshed();
  }

  restore(documents: DocumentSet): void {
    this.months.restore(documents);
  }

  takeChanges(): DocumentChanges {
    return this.months.takeChanges();
  }

  notStored(): void {
    this.months.notStored();
  }

  json(): undefined {
    return undefined;
  }

  note(): undefined {
    return undefined;
  }

  async groupPart(name: string, href: Href): Promise<ViewPart> {
    const { groupMonthsPart } = await import('./http/forms.ts');
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
