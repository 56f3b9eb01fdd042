import type { AccountFeature, Feature } from '../feature.ts';
import type { Href, ViewPart } from '../http/ports.ts';
import { AccountMonths } from './account-months.ts';
import { reportRoutes } from './http/handlers.ts';

/** The months of one account. */
class MonthsFeature extends AccountMonths implements AccountFeature {
  readonly name = 'months';

  json(): undefined {
    return undefined;
  }

  note(): undefined {
    return undefined;
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
