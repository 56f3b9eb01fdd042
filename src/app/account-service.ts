import { filteredService } from '../api/filtered-service.ts';
import { HttpClient, type HttpClientOptions } from '../api/http/client.ts';
import { RequestLog } from '../api/request-log.ts';
import type { MonitoringService } from '../api/service.ts';
import { ServiceClock } from '../api/service-clock.ts';
import { createService } from '../api/versions.ts';
import { Budget } from '../budget/budget.ts';
import type { SharedLedger } from '../budget/shared-ledger.ts';
import type { AccountSettings } from '../config/account.ts';
import { type Clock, unixSeconds } from '../lib/clock.ts';
import { present } from '../lib/present.ts';
import type { Random } from '../lib/random.ts';
import type { Scrubber } from '../lib/secret.ts';
import type { AccountListeners } from './account-events.ts';

interface AccountService {
  readonly transport: HttpClient;
  readonly service: MonitoringService;
}

/** The parts that send the requests of an account, limit them, and track their results. */
export interface AccountRequests extends AccountService {
  readonly budget: Budget;
  readonly requestLog: RequestLog;
  readonly serviceClock: ServiceClock;
}

interface RequestParts {
  /** Returns whether this process may send requests of the account at this moment. */
  readonly mayRequest: () => boolean;
  readonly ledger: SharedLedger;
  /** The part of the budget that this account may plan with. */
  readonly budgetShare: () => number;
  readonly clock: Clock;
  readonly random: Random;
  readonly scrubber: Scrubber;
  readonly listeners: AccountListeners;
  readonly newClient?: NewClient;
}

/** Creates the client of an account. */
export type NewClient = (options: HttpClientOptions) => HttpClient;

export function accountRequests(
  settings: AccountSettings,
  { mayRequest, ledger, budgetShare, clock, random, scrubber, listeners, newClient }: RequestParts,
): AccountRequests {
  const { events } = listeners;
  const { reserve, fallbackRequestsPerHour } = settings;
  const serviceClock = new ServiceClock(clock);
  const budget = new Budget({
    clock,
    random,
    ledger,
    share: budgetShare,
    ...present({ reserve, fallbackRequestsPerHour }),
    events,
  });
  const requestLog = new RequestLog();
  listeners.add({
    attempted: (attempt) => {
      if (attempt.dated !== undefined) serviceClock.responded(attempt.dated);
      requestLog.record(attempt, budget.view(), unixSeconds(clock));
    },
  });
  const gate = { admit: () => (mayRequest() ? budget.admit() : undefined) };
  const service = accountService(settings, { gate, clock, scrubber, events }, newClient);
  return { ...service, budget, requestLog, serviceClock };
}

/** Creates the service of an account, with its own connections and its filter. */
export function accountService(
  settings: AccountSettings,
  options: Pick<HttpClientOptions, 'gate' | 'clock' | 'scrubber' | 'events'>,
  newClient: NewClient = (ofAccount) => new HttpClient(ofAccount),
): AccountService {
  const { version, filter } = settings;
  const transport = newClient({ ...settings, ...options });
  const unfiltered = createService(version, transport);
  const service = filter === undefined ? unfiltered : filteredService(unfiltered, filter);
  return { transport, service };
}
