import { defaultResponseTimeBounds } from '../config/account.ts';
import { datasetPolicies } from '../domain/dataset.ts';
import type { ApiVersion } from '../domain/version.ts';
import type { ServedFamilies } from '../exposition/catalogue/served-families.ts';
import { type TypicalSeries, typicalSeries } from '../exposition/typical-series.ts';
import type { DatasetChoices } from '../schedule/demand.ts';

/** The settings of an account that decide how many series it has. */
export interface SeriesChoices {
  readonly version: ApiVersion;
  readonly datasets?: DatasetChoices;
  readonly byCountry?: boolean;
  readonly responseTimeBounds?: readonly number[];
}

export function seriesOf(
  served: ServedFamilies,
  choices: SeriesChoices,
  areResultsHourly: boolean,
): TypicalSeries {
  const { version, datasets = {}, byCountry = false } = choices;
  const { responseTimeBounds = defaultResponseTimeBounds } = choices;
  return typicalSeries(served, {
    version,
    areResultsHourly,
    byCountry,
    responseTimeBounds,
    isEnabled: (name) => datasets[name]?.enabled ?? datasetPolicies[name].enabledByDefault,
  });
}

/** Describes the series of each thing, such as `16 for a check that was up for 30 days, …`. */
export function describeSeries(series: TypicalSeries): string {
  const { upCheck, failedCheck, transaction, account } = series;
  return `${upCheck} for a check that was up for 30 days, ${failedCheck} for one with outages, ${transaction} for a transaction, ${account} for the account`;
}

export const seriesCaveat =
  "Tags, groups, maintenance, recent outages and the exporter's own series are not included.";
