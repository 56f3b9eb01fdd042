import type { Authentication } from '../api/authentication.ts';
import type { Connecting } from '../api/connecting.ts';
import type { ListFilter } from '../api/filtered-service.ts';
import type { TransactionResponseUnit } from '../api/service-v31.ts';
import type { Timeouts } from '../api/timeouts.ts';
import type { Reserves } from '../budget/reserve.ts';
import type { ApiVersion } from '../domain/api-version.ts';
import type { DatasetChoices } from '../schedule/demand.ts';

/** An account to watch. What is absent is as it is by default. */
export interface AccountSettings extends Connecting {
  /** The value of the `account` label. */
  readonly name: string;
  readonly baseUrl: string;
  readonly version: ApiVersion;
  readonly authentication: Authentication;
  readonly reserve?: Reserves;
  readonly fallbackRequestsPerHour?: number;
  /** Which checks and transactions are watched; all without it. */
  readonly filter?: ListFilter;
  readonly datasets?: DatasetChoices;
  /** Averages are fetched by country too. */
  readonly byCountry?: boolean;
  /** Upper bounds of the response-time histogram, in seconds. */
  readonly responseTimeBounds?: readonly number[];
  readonly transactionResponseUnit?: TransactionResponseUnit;
  readonly timeouts?: Partial<Timeouts>;
  readonly maxBodyBytes?: number;
  /** Requests under way at the same time. */
  readonly concurrency?: number;
  /** The same for settings that were read from the same; without it they are unlike all others. */
  readonly digest?: string;
}
