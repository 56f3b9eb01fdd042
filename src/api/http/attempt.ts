import type { Clock } from '../../lib/clock.ts';
import { DeadlineExceededError, Deadlines } from '../../lib/deadline.ts';
import { type HeaderValue, httpDate } from '../../lib/http-date.ts';
import { present } from '../../lib/present.ts';
import { retryAfterSeconds } from '../../lib/retry-after.ts';
import type { Scrubber } from '../../lib/secret.ts';
import { ApiError, type ApiErrorReason } from '../errors.ts';
import type { DatedResponse } from '../service-clock.ts';
import type { Timeouts } from './limits.ts';
import { classifyNetworkError } from './network-errors.ts';
import { sanitizeText } from './redaction.ts';

/** The result of one request that was sent. */
export interface AttemptResult {
  readonly operation: string;
  /** The path below `/api/{version}/`, without the query. */
  readonly path: string;
  /** The status code, or the `ApiErrorReason` when no response could be read. */
  readonly code: string;
  readonly durationSeconds: number;
  /** Bytes of the body as received, before decompression. */
  readonly responseBytes: number;
  /** The service's clock minus this machine's, in whole seconds; absent without a `Date`. */
  readonly clockOffsetSeconds?: number;
  /** The date of the response; absent without a `Date` header. */
  readonly dated?: DatedResponse;
}

interface ResponseHeaders {
  readonly date?: HeaderValue;
  readonly 'retry-after'?: HeaderValue;
}

interface AttemptOptions {
  readonly operation: string;
  readonly path: string;
  readonly caller: AbortSignal;
  readonly timeouts: Timeouts;
  readonly clock: Clock;
  readonly scrubber: Scrubber;
  /** The address of the proxy that is used, if there is one. */
  readonly proxy?: string;
}

/** One request in flight. It enforces deadlines, counts bytes, and makes `ApiError`s of errors. */
export class Attempt {
  readonly #options: AttemptOptions;
  readonly #deadlines: Deadlines<'headers' | 'body' | 'total'>;
  readonly #startedAt: number;
  #statusCode: number | undefined;
  #retryAfterSeconds: number | undefined;
  #responseBytes = 0;
  #clockOffsetSeconds: number | undefined;
  #dated: DatedResponse | undefined;

  constructor(options: AttemptOptions) {
    const { clock, caller, timeouts } = options;
    this.#options = options;
    this.#startedAt = clock.monotonic();
    this.#deadlines = new Deadlines({ clock, parent: caller });
    this.#deadlines.set('total', timeouts.total);
    this.#deadlines.set('headers', timeouts.headers);
  }

  /** Aborts the request when a deadline has passed or the caller aborts. */
  get signal(): AbortSignal {
    return this.#deadlines.signal;
  }

  get aborted(): boolean {
    return this.#options.caller.aborted;
  }

  /** Seconds that an overloaded or failing service asks to wait; absent if it does not. */
  get retryAfterSeconds(): number | undefined {
    return this.#retryAfterSeconds;
  }

  /** The `date` is when the service sent the headers, by its clock (RFC 9110, section 6.6.1). */
  headersArrived(statusCode: number, { date, 'retry-after': retryAfter }: ResponseHeaders): void {
    this.#statusCode = statusCode;
    const { clock } = this.#options;
    if (statusCode === 429 || statusCode >= 500) {
      this.#retryAfterSeconds = retryAfterSeconds(retryAfter, date, clock.now());
    }
    const sentAt = httpDate(date);
    if (sentAt !== undefined) {
      this.#clockOffsetSeconds = Math.round((sentAt - clock.now()) / 1000);
      this.#dated = { date: sentAt, sentAt: this.#startedAt, receivedAt: clock.monotonic() };
    }
    this.#deadlines.clear('headers');
    this.#deadlines.set('body', this.#options.timeouts.body);
  }

  bytesArrived(bytes: number): void {
    this.#responseBytes += bytes;
    this.#deadlines.set('body', this.#options.timeouts.body);
  }

  /** Ends the attempt, with an error or successfully. */
  end(error?: ApiError): AttemptResult {
    const { operation, path, clock } = this.#options;
    this.#deadlines.dispose();
    return {
      operation,
      path,
      code: `${error?.statusCode ?? error?.reason ?? this.#statusCode}`,
      durationSeconds: (clock.monotonic() - this.#startedAt) / 1000,
      responseBytes: this.#responseBytes,
      ...present({ clockOffsetSeconds: this.#clockOffsetSeconds, dated: this.#dated }),
    };
  }

  /** Makes an `ApiError` without `cause`: library errors may contain parts of the exchange. */
  toApiError(error: unknown): ApiError {
    if (error instanceof ApiError) return error;
    const { aborted, reason } = this.signal;
    if (aborted && reason instanceof DeadlineExceededError) {
      return this.failure('timeout', this.#withProxy(reason.message));
    }
    if (aborted) return this.failure('aborted', 'aborted while in flight');
    const phase = this.#statusCode === undefined ? 'headers' : 'body';
    const apiError = classifyNetworkError(error, phase);
    const text = sanitizeText(apiError.text, this.#options.scrubber);
    return this.failure(apiError.reason, this.#withProxy(text));
  }

  /** Until the headers arrive, a proxy may be the cause. */
  #withProxy(text: string): string {
    const { proxy } = this.#options;
    const isOnTheWay = proxy !== undefined && this.#statusCode === undefined;
    return isOnTheWay ? `${text} (through the proxy ${proxy})` : text;
  }

  failure(reason: ApiErrorReason, message: string): ApiError {
    return new ApiError({ reason, operation: this.#options.operation, message });
  }

  /** An error response, with the message of the service or the first words of its body. */
  httpError(reason: ApiErrorReason, statusCode: number, text = ''): ApiError {
    const { operation, scrubber } = this.#options;
    const detail = text === '' ? '' : `: ${sanitizeText(text, scrubber)}`;
    const message = `HTTP ${statusCode}${detail}`;
    const retryAfterSeconds = this.#retryAfterSeconds;
    const facts = { reason, operation, message, statusCode };
    return new ApiError({ ...facts, ...present({ retryAfterSeconds }) });
  }
}
