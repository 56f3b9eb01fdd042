import { bearerToken } from '../api/authentication.ts';
import { createServiceV31 } from '../api/service-v31.ts';
import { Transport } from '../api/transport.ts';
import { Budget } from '../budget/budget.ts';
import type { BudgetView } from '../budget/budget-view.ts';
import type { ExporterMetrics } from '../exposition/exporter-metrics.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/random.ts';
import type { Scrubber } from '../lib/secret.ts';
import { intervalSeconds } from '../schedule/intervals.ts';
import { Poller } from '../schedule/poller.ts';
import { createRefreshes } from '../schedule/refresh.ts';
import { Timetable } from '../schedule/timetable.ts';
import type { AccountSnapshot } from '../state/account-snapshot.ts';
import { AccountState } from '../state/account-state.ts';
import { AccountLog } from './account-log.ts';
import type { AccountSettings } from './environment.ts';

/** Requests of one account under way at the same time; the service is slow rather than wide. */
const concurrency = 4;
const stuckAfterMilliseconds = 120_000;

export interface WatchedAccountOptions {
  readonly settings: AccountSettings;
  readonly metrics: ExporterMetrics;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly scrubber: Scrubber;
  /** What the page shows of this account may have changed. */
  readonly onChange: () => void;
}

/** Everything that belongs to one account, from its connections to its state. */
export class WatchedAccount {
  readonly #state: AccountState;
  readonly #budget: Budget;
  readonly #transport: Transport;
  readonly #poller: Poller;

  constructor(options: WatchedAccountOptions) {
    const { settings, metrics, clock, random, log, scrubber, onChange } = options;
    const account = settings.name;
    const accountLog = new AccountLog(log, account);
    this.#budget = new Budget({
      clock,
      random,
      onModeChange: (mode) => log.info({ account, mode }, 'source of the request budget changed'),
    });
    this.#transport = new Transport({
      baseUrl: settings.baseUrl,
      version: '3.1',
      authentication: bearerToken(settings.token),
      gate: this.#budget,
      clock,
      scrubber,
      onExchange: (exchange) => metrics.exchange({ account, ...exchange }),
    });
    const service = createServiceV31({ transport: this.#transport });
    const { version: apiVersion, baseUrl } = service;
    this.#state = new AccountState({ account, apiVersion, baseUrl, intervalSeconds, clock });
    this.#poller = new Poller({
      state: this.#state,
      refreshes: createRefreshes(service, this.#state),
      timetable: new Timetable({ intervalSeconds, random }),
      nextAdmissionIn: () => this.#budget.msUntilAdmission(),
      clock,
      concurrency,
      events: {
        changed: onChange,
        refreshed: (dataset, rejected) => {
          for (const { reason } of rejected) metrics.rejected(account, dataset, reason, 1);
          accountLog.refreshed(dataset, this.snapshot().datasets[dataset].items ?? 0, rejected);
        },
        failed: (dataset, error) => {
          metrics.datasetFailed(account, dataset, error.reason);
          accountLog.failed(dataset, error);
        },
      },
    });
  }

  start(): void {
    this.#poller.start();
  }

  async stop(): Promise<void> {
    await this.#poller.stop();
    await this.#transport.close();
  }

  snapshot(): AccountSnapshot {
    return this.#state.snapshot();
  }

  budget(): BudgetView {
    return this.#budget.view();
  }

  get alive(): boolean {
    return this.#poller.silentFor < stuckAfterMilliseconds;
  }
}
