import { type Dispatcher, request as send } from 'undici';
import { z } from 'zod';
import type { Gate, Permit, RequestOutcome } from '../../budget/gate.ts';
import type { ApiVersion } from '../../domain/version.ts';
import type { Clock } from '../../lib/clock.ts';
import { orUndefined } from '../../lib/or-undefined.ts';
import { present } from '../../lib/present.ts';
import { readCapped } from '../../lib/read-capped.ts';
import { redirectOrigin } from '../../lib/redirect-origin.ts';
import type { Scrubber } from '../../lib/secret.ts';
import type { Workload } from '../../lib/workload.ts';
import { ApiError, type ApiErrorReason } from '../errors.ts';
import type { Reader, ReadRequest } from '../reader.ts';
import { Attempt, type AttemptResult } from './attempt.ts';
import type { Authentication } from './authentication.ts';
import { type ConnectionOptions, createDispatcher } from './connection.ts';
import { largeBodyBytes, parseJson } from './json-body.ts';
import { defaultMaxBodyBytes, type Timeouts, timeoutsWith } from './limits.ts';
import { proxySecrets } from './proxy-secrets.ts';
import { proxyTo } from './proxy-server.ts';
import { readRateLimits } from './rate-limit-headers.ts';
import { EchoedSecrets } from './redaction.ts';

export interface AttemptEvents {
  /** A request that was sent has ended. */
  attempted(attempt: AttemptResult): void;
}

export interface HttpClientOptions extends ConnectionOptions {
  /** Address of the service without `/api`; credentials, query and fragment in it are ignored. */
  readonly baseUrl: string;
  readonly version: ApiVersion;
  readonly authentication: Authentication;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly scrubber: Scrubber;
  readonly events?: AttemptEvents;
  readonly timeouts?: Partial<Timeouts>;
  readonly maxBodyBytes?: number;
  /** Sends the requests; by default over the network. */
  readonly dispatcher?: Dispatcher;
  readonly workload?: Pick<Workload, 'decoding'>;
}

/** Reads over HTTP: only admitted GET requests, without redirects or retries. */
export class HttpClient implements Reader {
  readonly baseUrl: string;
  readonly #options: HttpClientOptions;
  readonly #root: string;
  readonly #timeouts: Timeouts;
  readonly #maxBodyBytes: number;
  readonly #dispatcher: Dispatcher;
  readonly #closed = new AbortController();
  readonly #redaction: EchoedSecrets;
  /** The address of the proxy that is used, without its credentials. */
  readonly #proxy: string | undefined;

  constructor(options: HttpClientOptions) {
    const { origin, pathname } = new URL(options.baseUrl);
    this.baseUrl = `${origin}${pathname.replace(/\/+$/, '')}`;
    this.#options = options;
    this.#root = `${this.baseUrl}/api/${options.version}`;
    this.#timeouts = timeoutsWith(options.timeouts);
    this.#maxBodyBytes = options.maxBodyBytes ?? defaultMaxBodyBytes;
    const limits = { connectTimeout: this.#timeouts.connect, closed: this.#closed.signal };
    this.#dispatcher = options.dispatcher ?? createDispatcher(options.baseUrl, limits, options);
    const proxy = proxyTo(options.baseUrl, options);
    this.#proxy = proxy === undefined ? undefined : new URL(proxy).origin;
    this.#redaction = new EchoedSecrets([
      ...options.authentication.secrets,
      ...proxySecrets(options),
    ]);
  }

  async get(request: ReadRequest): Promise<unknown> {
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
    if (body.length > largeBodyBytes) this.#options.workload?.decoding(body.length);
    return parseJson(body, operation, { parse: (text) => this.#redaction.parse(text) });
  }

  /** Closes all connections, including those of running requests. */
  async close(): Promise<void> {
    const destroyed = this.#dispatcher.destroy();
    this.#closed.abort();
    await destroyed;
  }

  async #attempt(request: ReadRequest, permit: Permit): Promise<Buffer> {
    const { clock, scrubber, events } = this.#options;
    const { operation, path, signal: caller } = request;
    const attempt = new Attempt({
      operation,
      path,
      caller,
      timeouts: this.#timeouts,
      clock,
      scrubber,
      ...present({ proxy: this.#proxy }),
    });
    let failure: ApiError | undefined;
    try {
      const response = await this.#send(request, permit, attempt);
      return await readResponse(attempt, response, {
        base: this.baseUrl,
        maxBytes: this.#maxBodyBytes,
      });
    } catch (error) {
      failure = attempt.toApiError(error);
      throw failure;
    } finally {
      const result = attempt.end(failure);
      events?.attempted(result);
    }
  }

  /** Releases the permit when the headers arrive, because their limits soon become outdated. */
  async #send(request: ReadRequest, permit: Permit, attempt: Attempt) {
    let outcome: RequestOutcome = {};
    try {
      const sent = send(this.#address(request), {
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
      const response = await unlessAborted(sent, attempt.signal);
      const { statusCode, headers } = response;
      attempt.headersArrived(statusCode, headers);
      const { retryAfterSeconds } = attempt;
      outcome = { statusCode, limits: readRateLimits(headers), ...present({ retryAfterSeconds }) };
      return response;
    } finally {
      permit.release(outcome);
    }
  }

  #address({ path, query = {} }: ReadRequest): string {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) parameters.set(name, `${value}`);
    return `${this.#root}/${path}${parameters.size === 0 ? '' : `?${parameters}`}`;
  }
}

/** Undici notices an abort only when the connection stands, and then does not send the request. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, aborted]);
}

/** A 403 with this message means that the check does not exist. */
const unknownCheckMessage = /invalid check identifier/i;

/** The body of an error response. */
interface ErrorBody {
  /** The service's message, or the first words of another body; absent if there are none. */
  readonly text?: string;
  /** The body has the form of the API. Otherwise it comes from something on the way. */
  readonly isOfApi: boolean;
}

const noBody: ErrorBody = { isOfApi: false };

/** The meaning of a status code (API 3.1, section 7); undefined for success. */
function reasonOfStatus(
  statusCode: number,
  { text = '', isOfApi }: ErrorBody,
): ApiErrorReason | undefined {
  if (statusCode >= 200 && statusCode < 300) return undefined;
  if (statusCode >= 500) return 'server_error';
  if (statusCode < 400) return 'redirect';
  switch (statusCode) {
    case 401:
      return isOfApi ? 'unauthorized' : 'blocked';
    case 403:
      if (!isOfApi) return 'blocked';
      return unknownCheckMessage.test(text) ? 'not_found' : 'forbidden';
    case 404:
    case 410:
      return 'not_found';
    case 429:
      return 'rate_limited';
    default:
      return 'bad_request';
  }
}

/** API 3.1, section 7: `{error: {statuscode, statusdesc, errormessage}}`. */
const errorBody = z.object({ error: z.object({ errormessage: z.string() }) });

function readErrorBody(body: Buffer): ErrorBody {
  const text = body.toString('utf8');
  const message = orUndefined(() => errorBody.parse(JSON.parse(text)).error.errormessage);
  return message === undefined
    ? { text: firstWords(text), isOfApi: false }
    : { text: message, isOfApi: true };
}

/** The part of a page that is searched for its first words. */
const pageStartCharacters = 4096;
const maxWords = 12;

/** The first words of a text or HTML page, without tags, styles and scripts. */
function firstWords(page: string): string {
  const words = page
    .slice(0, pageStartCharacters)
    .replaceAll(/<(script|style)\b[\s\S]*?(?:<\/\1>|$)/gi, ' ')
    .replaceAll(/<[^<>]*>/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '');
  return words.length > maxWords ? `${words.slice(0, maxWords).join(' ')} …` : words.join(' ');
}

/** The service's error bodies are a few words long. A longer body is an error page of a proxy. */
const maxErrorBodyBytes = 64 * 1024;

/**
 * Returns the decompressed body of a successful response. The body is always consumed, or its
 * connection is closed.
 *
 * Rejects with an `ApiError` for an error response, or with the error that stopped the read.
 */
async function readResponse(
  attempt: Attempt,
  response: Dispatcher.ResponseData,
  { base, maxBytes }: { readonly base: string; readonly maxBytes: number },
): Promise<Buffer> {
  const { statusCode, headers } = response;
  if (reasonOfStatus(statusCode, noBody) === undefined) {
    return readBody(attempt, response, maxBytes);
  }
  const body = await readErrorResponse(attempt, response);
  const reason = reasonOfStatus(statusCode, body) ?? 'bad_request';
  const target = reason === 'redirect' ? redirectOrigin(headers.location, base) : undefined;
  const text = target === undefined ? body.text : `redirects to ${target}`;
  throw attempt.httpError(reason, statusCode, text);
}

/** Reads the body of an error. A broken one is ignored, unless the caller has aborted. */
async function readErrorResponse(
  attempt: Attempt,
  response: Dispatcher.ResponseData,
): Promise<ErrorBody> {
  try {
    return readErrorBody(await readBody(attempt, response, maxErrorBodyBytes));
  } catch (error) {
    if (attempt.aborted) throw error;
    return noBody;
  }
}

async function readBody(
  attempt: Attempt,
  { headers, body }: Dispatcher.ResponseData,
  maxBytes: number,
): Promise<Buffer> {
  const encoding = `${headers['content-encoding'] ?? 'identity'}`.trim().toLowerCase();
  const gzip = encoding === 'gzip' || encoding === 'x-gzip';
  if (!gzip && encoding !== 'identity') {
    body.on('error', () => {}).destroy();
    throw attempt.failure('encoding', 'the response uses a compression that was not requested');
  }
  const length = Number(headers['content-length']);
  const announcedBytes = Number.isSafeInteger(length) && length > 0 ? length : undefined;
  const onChunk = (bytes: number) => attempt.bytesArrived(bytes);
  return readCapped(body, { gzip, maxBytes, announcedBytes, onChunk });
}
