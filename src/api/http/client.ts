import { type Dispatcher, request as send } from 'undici';
import type { Gate, Outcome, Permit } from '../../budget/gate.ts';
import type { ApiVersion } from '../../domain/version.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Scrubber } from '../../lib/secret.ts';
import { ApiError } from '../errors.ts';
import type { ReadBody, Reader, ReadRequest, Redact } from '../reader.ts';
import { Attempt, type AttemptResult } from './attempt.ts';
import type { Authentication } from './authentication.ts';
import { type ConnectionOptions, createDispatcher, proxySecrets } from './connection.ts';
import { defaultMaxBodyBytes, defaultTimeouts, type Timeouts } from './limits.ts';
import { readRateLimits } from './rate-limit-headers.ts';
import { EchoedSecrets } from './redaction.ts';
import { parseJson, readResponse } from './response.ts';

export interface HttpClientOptions extends ConnectionOptions {
  /** Address of the service without `/api`; credentials, query and fragment in it are ignored. */
  readonly baseUrl: string;
  readonly version: ApiVersion;
  readonly authentication: Authentication;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly scrubber: Scrubber;
  /** Called once for every request that was sent, when it has ended. */
  readonly onAttempt: (attempt: AttemptResult) => void;
  readonly timeouts?: Partial<Timeouts>;
  readonly maxBodyBytes?: number;
}

/**
 * Reads from the service over HTTP. It sends only GET requests that the gate admits, follows no redirect and
 * never retries.
 */
export class HttpClient implements Reader {
  readonly baseUrl: string;
  readonly #options: HttpClientOptions;
  readonly #root: string;
  readonly #timeouts: Timeouts;
  readonly #maxBodyBytes: number;
  readonly #dispatcher: Dispatcher;
  readonly #redaction: EchoedSecrets;

  constructor(options: HttpClientOptions) {
    const { origin, pathname } = new URL(options.baseUrl);
    this.baseUrl = `${origin}${pathname.replace(/\/+$/, '')}`;
    this.#options = options;
    this.#root = `${this.baseUrl}/api/${options.version}`;
    this.#timeouts = { ...defaultTimeouts, ...options.timeouts };
    this.#maxBodyBytes = options.maxBodyBytes ?? defaultMaxBodyBytes;
    this.#dispatcher = createDispatcher(this.#timeouts.connect, options);
    this.#redaction = new EchoedSecrets([
      ...options.authentication.secrets,
      ...proxySecrets(options),
    ]);
  }

  async get(request: ReadRequest, readBody?: ReadBody): Promise<unknown> {
    const { operation } = request;
    if (request.signal.aborted) {
      throw new ApiError({ reason: 'aborted', operation, message: 'aborted before it was sent' });
    }
    const permit = this.#options.gate.admit();
    if (permit === undefined) {
      const message = 'not sent: the request budget does not allow it now';
      throw new ApiError({ reason: 'budget', operation, message });
    }
    const body = await this.#attempt(request, permit);
    const redact: Redact = (text, value) => this.#redaction.redact(text, value);
    return (await readBody?.(body, redact)) ?? redact(body, parseJson(body, operation));
  }

  /** Closes all connections, including those of running requests. */
  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }

  async #attempt(request: ReadRequest, permit: Permit): Promise<Buffer> {
    const { clock, scrubber, onAttempt } = this.#options;
    const { operation, signal: caller } = request;
    const attempt = new Attempt({ operation, caller, timeouts: this.#timeouts, clock, scrubber });
    let failure: ApiError | undefined;
    try {
      const response = await this.#send(request, permit, attempt);
      return await readResponse(attempt, response, this.#maxBodyBytes);
    } catch (error) {
      failure = attempt.toApiError(error);
      throw failure;
    } finally {
      onAttempt(attempt.end(failure));
    }
  }

  /** Settles the permit as soon as the headers arrive, because their limits age. */
  async #send(request: ReadRequest, permit: Permit, attempt: Attempt) {
    let outcome: Outcome = {};
    try {
      const response = await send(this.#address(request), {
        method: 'GET',
        dispatcher: this.#dispatcher,
        headers: {
          accept: 'application/json',
          'accept-encoding': 'gzip',
          'user-agent': 'uptime-exporter',
          ...this.#options.authentication.headers(),
        },
        signal: attempt.signal,
      });
      attempt.headersArrived(response.statusCode, response.headers.date);
      outcome = { statusCode: response.statusCode, limits: readRateLimits(response.headers) };
      return response;
    } finally {
      permit.settle(outcome);
    }
  }

  #address({ path, query = {} }: ReadRequest): string {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) parameters.set(name, `${value}`);
    return `${this.#root}/${path}${parameters.size === 0 ? '' : `?${parameters}`}`;
  }
}
