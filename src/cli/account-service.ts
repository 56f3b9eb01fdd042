import { createService } from '../api/create-service.ts';
import { filteredService } from '../api/filtered-service.ts';
import type { MonitoringService } from '../api/service.ts';
import { Transport, type TransportOptions } from '../api/transport.ts';
import type { AccountSettings } from '../config/account-settings.ts';
import { present } from '../lib/present.ts';

export interface AccountService {
  readonly transport: Transport;
  readonly service: MonitoringService;
}

/** The service as an account is to be watched: over its connections, with its checks only. */
export function accountService(
  settings: AccountSettings,
  options: Pick<TransportOptions, 'gate' | 'clock' | 'scrubber' | 'onExchange'>,
): AccountService {
  const { version, filter, transactionResponseUnit } = settings;
  const transport = new Transport({ ...settings, ...options });
  const unfiltered = createService({
    version,
    transport,
    ...present({ transactionResponseUnit }),
  });
  const service = filter === undefined ? unfiltered : filteredService(unfiltered, filter);
  return { transport, service };
}
