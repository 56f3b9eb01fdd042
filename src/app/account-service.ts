import { filteredService, type ListFilter } from '../api/filtered-service.ts';
import { HttpClient, type HttpClientOptions } from '../api/http/client.ts';
import type { MonitoringService } from '../api/service.ts';
import { createService } from '../api/versions.ts';
import type { AccountSettings } from '../config/account.ts';
import { present } from '../lib/present.ts';
import type { RestoredAccount } from '../state/stored-account.ts';

export interface AccountService {
  readonly transport: HttpClient;
  readonly service: MonitoringService;
}

/** The service of an account: over its own connections, limited to the checks that its filter keeps. */
export function accountService(
  settings: AccountSettings,
  options: Pick<HttpClientOptions, 'gate' | 'clock' | 'scrubber' | 'onAttempt'>,
): AccountService {
  const { version, filter } = settings;
  const transport = new HttpClient({ ...settings, ...options });
  const unfiltered = createService({ version, reader: transport });
  const service = filter === undefined ? unfiltered : filteredService(unfiltered, filter);
  return { transport, service };
}

/** Only the stored checks and transactions that are still monitored: a filter applies from the start. */
export function filterRestored(
  restored: RestoredAccount,
  filter: ListFilter | undefined,
): RestoredAccount {
  if (filter === undefined) return restored;
  const { checks, transactions } = restored;
  const monitored = { checks: checks?.filter(filter), transactions: transactions?.filter(filter) };
  return { ...restored, ...present(monitored) };
}
