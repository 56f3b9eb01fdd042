import { filteredService } from '../api/filtered-service.ts';
import { HttpClient, type HttpClientOptions } from '../api/http/client.ts';
import type { MonitoringService } from '../api/service.ts';
import { createService } from '../api/versions.ts';
import type { AccountSettings } from '../config/account.ts';

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
