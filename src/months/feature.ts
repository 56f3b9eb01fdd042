import type { TimeRange } from '../domain/interval.ts';
import type { AccountFeature, AccountParts, Feature } from '../feature.ts';
import type { Href, ViewPart } from '../http/ports.ts';
import { AccountMonths } from './account-months.ts';
import { reportRoutes } from './http/handlers.ts';
import { RecordedChecks } from './recorded-checks.ts';

/** The months of one account. */
class MonthsFeature extends AccountMonths implements AccountFeature {
  readonly name = 'months';
  readonly #recorded: RecordedChecks;

  constructor(parts: AccountParts) {
    super(parts);
    this.#recorded = new RecordedChecks(this, parts.log);
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
