import type { Clock } from '../../lib/clock.ts';
import { DeadlineExceededError, Deadlines } from '../../lib/deadline.ts';
import type { Scrubber } from '../../lib/secret.ts';
import { ApiError, type ApiErrorReason } from '../errors.ts';
import type { DatedReply } from '../service-clock.ts';
import type { Timeouts } from './limits.ts';
import { classifyNetworkError } from './network-errors.ts';
import { sanitizeText } from './redaction.ts';

/** One request that was sent, and what became of it. */
export interface AttemptResult {
  readonly operation: string;
  /** The status code of a response that could be read or is an error, else the `ApiErrorReason` why not. */
  readonly code: string;
  readonly durationSeconds: number;
  /** Size of the body as it arrived, before decompression. */
  readonly responseBytes: number;
  /** The service's clock less ours, to the second; absent when no reply told its date. */
  readonly clockOffsetSeconds?: number;
  /** Absent when no reply told its date. */
  readonly dated?: DatedReply;
}

interface AttemptOptions {
  readonly operation: string;
  readonly caller: AbortSignal;
  readonly timeouts: Timeouts;
  readonly clock: Clock;
  readonly scrubber: Scrubber;
}

/** One request on its way: its deadlines, how far it has come, and what its failure means. */
export class Attempt {
  readonly #options: AttemptOptions;
  readonly #deadlines: Deadlines<'headers' | 'body' | 'total'>;
  readonly #startedAt: number;
  #statusCode: number | undefined;
  #responseBytes = 0;
  #clockOffsetSeconds: number | undefined;
  #dated: DatedReply | undefined;

  constructor(options: AttemptOptions) {
    const { clock, caller, timeouts } = options;
    this.#options = options;
    this.#startedAt = clock.monotonic();
    this.#deadlines = new Deadlines({ clock, parent: caller });
    this.#deadlines.set('total', timeouts.total);
    this.#deadlines.set('headers', timeouts.headers);
  }

  /** Aborts the request when a deadline has passed or the caller has given up. */
  get signal(): AbortSignal {
    return this.#deadlines.signal;
  }

  get aborted(): boolean {
    return this.#options.caller.aborted;
  }

  /** `date` is when the service sent them, by its own clock (RFC 9110, section 6.6.1). */
  headersArrived(statusCode: number, date?: string | readonly string[]): void {
    this.#statusCode = statusCode;
    const { clock } = this.#options;
    const sentAt = typeof date === 'string' ? Date.parse(date) : Number.NaN;
    if (!Number.isNaN(sentAt)) {
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

  /** What happened, told by the error with which the attempt ended, or by its absence. */
  end(error?: ApiError): AttemptResult {
    const { operation, clock } = this.#options;
    this.#deadlines.dispose();
    return {
      operation,
      code: `${error?.statusCode ?? error?.reason ?? this.#statusCode}`,
      durationSeconds: (clock.monotonic() - this.#startedAt) / 1000,
      responseBytes: this.#responseBytes,
      ...(this.#clockOffsetSeconds !== undefined && {
        clockOffsetSeconds: this.#clockOffsetSeconds,
      }),
      ...(this.#dated !== undefined && { dated: this.#dated }),
    };
  }

  /**
   * The error in the terms of the client. It has no `cause`: errors of libraries may hold parts of the
   * request or of the reply.
   */
  toApiError(error: unknown): ApiError {
    if (error instanceof ApiError) return error;
    const { aborted, reason } = this.signal;
    if (aborted && reason instanceof DeadlineExceededError) {
      return this.failure('timeout', reason.message);
    }
    if (aborted) return this.failure('aborted', 'given up while it was under way');
    const phase = this.#statusCode === undefined ? 'headers' : 'body';
    const apiError = classifyNetworkError(error, phase);
    return this.failure(apiError.reason, sanitizeText(apiError.text, this.#options.scrubber));
  }

  failure(reason: ApiErrorReason, message: string): ApiError {
    return new ApiError({ reason, operation: this.#options.operation, message });
  }

  /** The service answered, but refused; with its own words if they are legible. */
  httpError(reason: ApiErrorReason, statusCode: number, words: string | undefined): ApiError {
    const { operation, scrubber } = this.#options;
    const said = words === undefined ? '' : `: ${sanitizeText(words, scrubber)}`;
    const message = `the service answered ${statusCode}${said}`;
    return new ApiError({ reason, operation, message, statusCode });
  }
}
