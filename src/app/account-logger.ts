import type { ApiError } from '../api/errors.ts';
import type { RejectedEntry } from '../api/service.ts';
import { isClockOff, type ServiceClock } from '../api/service-clock.ts';
import type { BudgetNote } from '../budget/budget-note.ts';
import type { BudgetMode, BudgetView } from '../budget/budget-view.ts';
import { type DatasetName, datasetPolicies, type ItemId } from '../domain/dataset.ts';
import type { TimeRange } from '../domain/interval.ts';
import type { TransactionResponseUnit } from '../domain/transaction.ts';
import type { ApiVersion } from '../domain/version.ts';
import type { MonotonicClock } from '../lib/clock.ts';
import { getOrMake } from '../lib/get-or-make.ts';
import type { Log } from '../lib/log.ts';
import type { Plan } from '../schedule/plan.ts';
import type { RefreshTask } from '../schedule/refresh-task.ts';
import type { AccountState } from '../state/account-state.ts';
import { type Leaving, wasDown } from '../state/items/removed-items.ts';
import type { ListedItem } from '../state/leaving.ts';
import type { ItemKind, LostRecord } from '../store/store.ts';
import type { StoreError } from '../store/store-error.ts';
import type { AccountListener } from './account-events.ts';
import { DatasetLogger } from './dataset-logger.ts';

/** A little less than an hour, so that what repeats each hour is logged each time. */
const noteMilliseconds = 3_500_000;
/** A line names this many items or groups. */
const maxNames = 20;

/** Log lines about limits that the service reports, all at the level warn. */
export const noteTexts: { readonly [K in BudgetNote['kind']]: string } = {
  implausible: 'implausible rate-limit header ignored',
  above: 'rate-limit header above the known limit ignored until a second response agrees',
  smaller: 'rate limit decreased',
  probe: 'probe request sent after an hour without requests',
};

/** The items whose failures are logged. */
interface LoggedState {
  readonly checks: { has(id: number): boolean };
  readonly transactions: { has(id: number): boolean };
  readonly datasets: Pick<AccountState['datasets'], 'itemsIn'>;
  readonly counting: Pick<AccountState['counting'], 'waitsUntilSeconds'>;
}

interface AccountLoggerOptions {
  readonly log: Log;
  readonly account: string;
  readonly apiVersion: ApiVersion;
  readonly clock: MonotonicClock;
  readonly serviceClock: Pick<ServiceClock, 'offsetSeconds'>;
  readonly state: LoggedState;
}

/** Logs one line per change of state, not one per failure; the rest goes to debug. */
export class AccountLogger implements AccountListener {
  readonly #options: AccountLoggerOptions;
  readonly #log: Log;
  readonly #account: string;
  readonly #datasets = new Map<DatasetName, DatasetLogger>();
  /** When each kind of note about the limits was last logged. */
  readonly #noted = new Map<string, number>();
  /** The dataset for which it was logged that the credentials are not accepted. */
  #unauthorized: DatasetName | undefined;
  #storeFailing = false;
  #clockIsOff = false;
  #isWaiting = false;
  /** The largest number of items whose tags were logged as left out. */
  readonly #withMoreTags = new Map<DatasetName, number>();
  /** The types of checks that were logged as not known. */
  readonly #unknownTypes = new Set<string>();

  constructor(options: AccountLoggerOptions) {
    this.#options = options;
    this.#log = options.log;
    this.#account = options.account;
  }

  attempted(): void {
    this.#clockOffset(this.#options.serviceClock.offsetSeconds);
  }

  refreshed({ dataset, id }: RefreshTask, rejected: readonly RejectedEntry[]): void {
    this.#unauthorized = undefined;
    const items = this.#options.state.datasets.itemsIn(dataset);
    // Nothing was requested before the first success.
    if (items !== undefined) this.#loggerOf(dataset).refreshed(id, items, rejected);
    if (dataset === 'checks') this.#waitsUntil(this.#options.state.counting.waitsUntilSeconds);
    if (dataset === 'checks' || dataset === 'transactions') {
      for (const [name, log] of this.#datasets) log.retain((item) => this.#isListed(name, item));
    }
  }

  #isListed(dataset: DatasetName, id: ItemId): boolean {
    if (id === 'account') return true;
    const { checks, transactions } = this.#options.state;
    return (datasetPolicies[dataset].scope === 'check' ? checks : transactions).has(id);
  }

  failed({ dataset, id }: RefreshTask, error: ApiError): void {
    if (error.reason === 'unauthorized') {
      this.#unauthorized ??= dataset;
      if (this.#unauthorized !== dataset) {
        const fields = { account: this.#account, dataset, reason: error.reason };
        this.#log.debug(fields, 'refresh failed with the same credentials');
        return;
      }
    }
    this.#loggerOf(dataset).failed(id, error);
  }

  loopFailed(error: unknown): void {
    this.#log.error({ account: this.#account, error }, 'poller iteration failed; continuing');
  }

  tagIgnored(tag: string): void {
    this.#log.warn(
      { account: this.#account, tag },
      'objective in a tag ignored: it must be at least 50 % and below 100 %',
    );
  }

  groupsLeftOut(names: readonly string[]): void {
    const fields = { groups: names.length, names: names.slice(0, maxNames) };
    this.#log.warn({ account: this.#account, ...fields }, 'groups beyond max_groups left out');
  }

  /** Their alerts end, although nobody has seen them up. */
  left(kind: ItemKind, items: readonly ListedItem[], { why }: Leaving): void {
    const down = items.filter(({ entry }) => wasDown(entry));
    if (down.length === 0) return;
    const ids = down.slice(0, maxNames).map(({ entry }) => entry.id);
    const names = down.slice(0, maxNames).map(({ entry }) => entry.name);
    const fields = { account: this.#account, kind, why, count: down.length, ids, names };
    this.#log.warn(fields, 'items removed while down; their alerts end');
  }

  recordsLost(records: readonly LostRecord[]): void {
    for (const { kind, name, reason } of records) {
      this.#log.error(
        { account: this.#account, kind, name, reason },
        'stored record lost; its counters restart at 0, other data is fetched again',
      );
    }
  }

  storeFailed({ reason, message }: StoreError): void {
    // Another replica has the account, which is logged when this one gives it up.
    if (this.#storeFailing || reason === 'fenced') return;
    this.#storeFailing = true;
    const fields = { account: this.#account, reason, error: message };
    this.#log.error(fields, 'store write failed; counters are paused until it recovers');
  }

  stored(): void {
    if (!this.#storeFailing) return;
    this.#storeFailing = false;
    this.#log.info({ account: this.#account }, 'store recovered');
  }

  transactionUnitDetected(unit: TransactionResponseUnit): void {
    const advice = 'set transaction_response_unit if this is wrong';
    this.#log.info({ account: this.#account, unit, advice }, 'unit of transaction times detected');
  }

  typeNotKnown(type: string, id: number): void {
    if (this.#unknownTypes.has(type)) return;
    this.#unknownTypes.add(type);
    this.#log.info({ account: this.#account, type, id }, 'check of a type that is not known');
  }

  tagsLeftOut(dataset: DatasetName, ids: ReadonlySet<number>): void {
    const before = this.#withMoreTags.get(dataset) ?? 0;
    this.#withMoreTags.set(dataset, Math.max(before, ids.size));
    if (ids.size <= before) return;
    const fields = { dataset, items: ids.size, ids: [...ids].slice(0, maxNames) };
    this.#log.warn({ account: this.#account, ...fields }, 'tags beyond the first 100 left out');
  }

  changesLeftOut(id: number): void {
    const fields = { account: this.#account, dataset: 'outages', id };
    this.#log.warn(fields, 'further listed outages left out until the outage report is read');
  }

  reportGivenUp(dataset: DatasetName, id: number, { fromSeconds, toSeconds }: TimeRange): void {
    const [from, to] = [fromSeconds, toSeconds].map((at) => new Date(at * 1000).toISOString());
    this.#log.warn(
      { account: this.#account, dataset, id, from, to },
      'outage report incomplete for a day; missing time counted as unmonitored',
    );
  }

  reportContradicted(id: number, { fromSeconds, toSeconds }: TimeRange): void {
    const dataset: DatasetName = 'outages';
    const [from, to] = [fromSeconds, toSeconds].map((at) => new Date(at * 1000).toISOString());
    this.#log.warn(
      { account: this.#account, dataset, id, from, to },
      'listed outage missing in outage report after 35 minutes; report counted',
    );
  }

  planChanged({ datasets, requestsPerSecond, shortfall, isLateNow }: Plan): void {
    const list = datasets.find(({ name }) => name === 'checks')?.intervalSeconds;
    const fields = {
      account: this.#account,
      requests_per_hour: Math.round(requestsPerSecond * 3600),
      // Infinite while nothing is read until a window resets.
      list_seconds: list !== undefined && Number.isFinite(list) ? Math.round(list) : undefined,
    };
    if (isLateNow) {
      this.#log.warn(fields, 'outages are seen late until the short window resets');
      return;
    }
    if (shortfall === undefined) {
      this.#log.info(fields, 'plan changed');
      return;
    }
    const { datasets: tooSlow, missingPerHour, switchOff, isStatusLate } = shortfall;
    const missing = {
      ...fields,
      too_slow: tooSlow.join(),
      missing_per_hour: Math.ceil(missingPerHour),
      switch_off: switchOff.join(),
    };
    if (isStatusLate) this.#log.warn(missing, 'request budget is too small; outages are seen late');
    else this.#log.info(missing, 'plan changed; slower datasets are older than they could be');
  }

  /** `seconds` is the service's clock minus the clock of this machine. */
  #clockOffset(seconds: number | undefined): void {
    const isOff = isClockOff(seconds);
    if (isOff === this.#clockIsOff) return;
    this.#clockIsOff = isOff;
    const fields = { account: this.#account, offset_seconds: seconds };
    if (isOff)
      this.#log.warn(fields, 'local clock differs from the service; using the service time');
    else this.#log.info(fields, 'local clock agrees with the service again');
  }

  /** The service's clock was ahead until it was corrected. */
  #waitsUntil(seconds: number | undefined): void {
    const isWaiting = seconds !== undefined;
    if (isWaiting === this.#isWaiting) return;
    this.#isWaiting = isWaiting;
    const fields = { account: this.#account };
    if (!isWaiting) this.#log.info(fields, 'counters go on');
    else {
      const until = new Date(seconds * 1000).toISOString();
      this.#log.warn({ ...fields, until }, 'counters wait: lists are older than what is counted');
    }
  }

  budgetModeChanged(mode: BudgetMode): void {
    this.#log.info({ account: this.#account, mode }, 'budget mode changed');
  }

  budgetUsedUp({ windows: { short, long } }: BudgetView, milliseconds: number): void {
    const fields = {
      account: this.#account,
      short_remaining: short?.remaining,
      short_reserve: short?.reserve,
      long_remaining: long?.remaining,
      long_reserve: long?.reserve,
      seconds: Math.round(milliseconds / 1000),
    };
    this.#log.warn(fields, 'request budget is used up; all requests wait');
  }

  budgetAllowsAgain(): void {
    this.#log.info({ account: this.#account }, 'request budget allows requests again');
  }

  /** Logs each kind and window once an hour, as limits repeat, but each decrease of a limit. */
  budgetNoted(note: BudgetNote): void {
    const { kind, ...fields } = note;
    const key = kind === 'probe' ? kind : `${kind} ${note.window}`;
    const now = this.#options.clock.monotonic();
    const since = now - (this.#noted.get(key) ?? Number.NEGATIVE_INFINITY);
    if (since < noteMilliseconds && kind !== 'smaller') return;
    this.#noted.set(key, now);
    this.#log.warn({ account: this.#account, ...fields }, noteTexts[kind]);
  }

  #loggerOf(dataset: DatasetName): DatasetLogger {
    const { log, account, apiVersion } = this.#options;
    const make = () => new DatasetLogger({ log, account, dataset, apiVersion });
    return getOrMake(this.#datasets, dataset, make);
  }
}
