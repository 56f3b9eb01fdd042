import type { z } from 'zod';
import type { Authentication } from '../api/authentication.ts';
import type { Connecting } from '../api/connecting.ts';
import type { Timeouts } from '../api/timeouts.ts';
import { datasetNames } from '../domain/dataset.ts';
import { present } from '../lib/present.ts';
import type { DatasetChoices } from '../schedule/demand.ts';
import type { accountSchema } from './account-schema.ts';
import type { AccountSettings } from './account-settings.ts';
import { listFilter } from './list-filter.ts';
import { settingsDigest } from './settings-digest.ts';

type Account = z.output<typeof accountSchema>;

/** What the schema does not tell: read, checked and put together from several settings. */
export interface Resolved {
  readonly baseUrl: string;
  readonly authentication: Authentication;
  readonly connecting: Connecting;
  /** What the file says of the account. */
  readonly written: unknown;
}

export function accountSettingsOf(account: Account, resolved: Resolved): AccountSettings {
  const { name, version = '3.1', budget, filters, timeouts } = account;
  return {
    name,
    baseUrl: resolved.baseUrl,
    version,
    authentication: resolved.authentication,
    ...resolved.connecting,
    ...present({
      reserve: budget?.reserve && present(budget.reserve),
      fallbackRequestsPerHour: budget?.fallback_requests_per_hour,
      filter: filters && listFilter(filters),
      byCountry: account.by_country,
      responseTimeBounds: account.response_time_buckets,
      transactionResponseUnit: account.transaction_response_unit,
      timeouts: timeouts && inMilliseconds(timeouts),
      maxBodyBytes: account.max_body_size,
      concurrency: account.concurrency,
    }),
    datasets: datasetChoices(account),
    digest: settingsDigest(resolved.written, resolved.authentication, resolved.connecting),
  };
}

function datasetChoices({ datasets = {}, by_country }: Account): DatasetChoices {
  const choices = datasetNames.map((name) => {
    const { enabled, floor, max_staleness } = { enabled: undefined, ...datasets[name] };
    const byCountry = name === 'average' ? by_country : undefined;
    return [
      name,
      present({ enabled, floorSeconds: floor, maxStalenessSeconds: max_staleness, byCountry }),
    ];
  });
  return Object.fromEntries(choices);
}

function inMilliseconds(timeouts: Readonly<Record<string, number | undefined>>): Partial<Timeouts> {
  const entries = Object.entries(timeouts).flatMap(([name, seconds]) =>
    seconds === undefined ? [] : [[name, seconds * 1000]],
  );
  return Object.fromEntries(entries);
}
