import type { DatasetName } from '../domain/dataset.ts';
import type { TimeRange } from '../domain/interval.ts';
import type { AccountFeature, AccountParts, Feature } from '../feature.ts';
import type { Href, ViewPart } from '../http/ports.ts';
import type { DocumentChanges, DocumentSet } from '../store/format/document-set.ts';
import { AccountMonths } from './account-months.ts';
import { reportRoutes } from './http/handlers.ts';
import { RecordedChecks } from './recorded-checks.ts';
import { causesDocument, WantedCauses } from './wanted-causes.ts';

/** The months of one account. */
class MonthsFeature extends AccountMonths implements AccountFeature {
  readonly name = 'months';
  readonly pasts = this.responseDays;
  readonly #recorded: RecordedChecks;
  readonly #causes: WantedCauses;

  constructor(parts: AccountParts) {
    super(parts);
    this.#recorded = new RecordedChecks(this, parts.log);
    this.#causes = new WantedCauses(parts, this);
  }

  override refreshed(task?: { readonly dataset: DatasetName }): void {
    super.refreshed();
    if (task?.dataset !== 'checks') return;
    this.#causes.listed();
    this.responseDays.listed();
  }

  override restore(documents: DocumentSet): void {
    super.restore(documents);
    this.#causes.restore(documents.get(causesDocument));
  }

  override takeChanges(): DocumentChanges {
    const documents = super.takeChanges();
    const causes = this.#causes.takeChange();
    if (causes !== undefined) documents.set(causesDocument, causes);
    return documents;
  }

  override notStored(): void {
    super.notStored();
    this.#causes.notStored();
  }

  json(): undefined {
    return undefined;
  }

  note(): undefined {
    return undefined;
  }

  recordedDays(ids: ReadonlySet<number>, range: TimeRange) {
    return this.#recorded.of(ids, range);
  }

  async groupPart(name: string, href: Href): Promise<ViewPart> {
    const { groupMonthsPart } = await import('./http/forms.ts');
    return groupMonthsPart(this, name, href);
  }
}

/** The report of the month, for the list of optional features. */
export const monthsFeature: Feature = {
  ofAccount: (parts) => new MonthsFeature(parts),
  routes: ({ shown, ...others }) =>
    reportRoutes({
      ...others,
      months: () => shown().filter((feature) => feature instanceof MonthsFeature),
    }),
};
