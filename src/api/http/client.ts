import { type Dispatcher, request } from 'undici';
import type { Gate, Outcome, Permit } from '../../budget/gate.ts';
import type { ApiVersion } from '../../domain/version.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Scrubber } from '../../lib/secret.ts';
import { ApiError } from '../errors.ts';
import type { Reader, ReadRequest } from '../reader.ts';
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
  /** Told once of every request that was sent, when it has ended. */
  readonly onAttempt: (exchange: AttemptResult) => void;
  readonly timeouts?: Partial<Timeouts>;
  readonly maxBodyBytes?: number;
}

/**
 * Reads from the service over HTTP. It can send nothing but GET, sends nothing that the gate does not
 * admit, follows no redirect, and tries nothing twice.
 */
export class HttpClient implements Reader {
  readonly baseUrl: string;
  readonly #options: HttpClientOptions;
  readonly #root: string;
  readonly #timeouts: Timeouts;
  readonly #maxBodyBytes: number;
  readonly #dispatcher: Dispatcher;
  readonly #echoes: EchoedSecrets;

  constructor(options: HttpClientOptions) {
    const { origin, pathname } = new URL(options.baseUrl);
    this.baseUrl = `${origin}${pathname.replace(/\/+$/, '')}`;
    this.#options = options;
    this.#root = `${this.baseUrl}/api/${options.version}`;
    this.#timeouts = { ...defaultTimeouts, ...options.timeouts };
    this.#maxBodyBytes = options.maxBodyBytes ?? defaultMaxBodyBytes;
    this.#dispatcher = createDispatcher(this.#timeouts.connect, options);
    this.#echoes = new EchoedSecrets([...options.authentication.secrets, ...proxySecrets(options)]);
  }

  async get(query: ReadRequest): Promise<unknown> {
    const { operation } = query;
    if (query.signal.aborted) {
      throw new ApiError({ reason: 'aborted', operation, message: 'given up before it was sent' });
    }
    const permit = this.#options.gate.admit();
    if (permit === undefined) {
      const message = 'not sent, the request budget does not allow it now';
      throw new ApiError({ reason: 'budget', operation, message });
    }
    const body = await this.#exchange(query, permit);
    return this.#echoes.redact(body, parseJson(body, operation));
  }

  /** Ends the connections, those of running requests included. */
  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }

  async #exchange(query: ReadRequest, permit: Permit): Promise<Buffer> {
    const { clock, scrubber, onAttempt } = this.#options;
    const { operation, signal: caller } = query;
    const attempt = new Attempt({ operation, caller, timeouts: this.#timeouts, clock, scrubber });
    let failure: ApiError | undefined;
    try {
      const response = await this.#send(query, permit, attempt);
      return await readResponse(attempt, response, this.#maxBodyBytes);
    } catch (error) {
      failure = attempt.toApiError(error);
      throw failure;
    } finally {
      onAttempt(attempt.end(failure));
    }
  }

  /** Settles the permit as soon as the headers are there: what they say of the windows ages. */
  async #send(query: ReadRequest, permit: Permit, attempt: Attempt) {
    let outcome: Outcome = {};
    try {
      const response = await request(this.#address(query), {
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
