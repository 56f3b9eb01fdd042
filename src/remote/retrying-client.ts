import { UsageError } from '../config/problems.ts';
import type { Clock } from '../lib/clock.ts';
import { codeOf } from '../lib/error-text.ts';
import { redirectOrigin } from '../lib/redirect-origin.ts';
import { retryAfterSeconds } from '../lib/retry-after.ts';
import { Scrubber } from '../lib/secret.ts';
import type { Credentials } from './auth-file.ts';

export interface RetryingClientOptions {
  readonly url: string;
  /** The server's name in messages, such as `the exporter`. */
  readonly server: string;
  /** The flag for the file with the credentials. */
  readonly authFlag: string;
  readonly credentials?: Credentials;
  /** Returns whether the text of a response shows that a retry cannot help. */
  readonly isFinal?: (text: string) => boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The time in which a server can restart or end its pause; by default ten minutes. */
  readonly patienceMilliseconds?: number;
  /** Called with the first failure of a request that is retried. */
  readonly onRetry?: (message: string) => void;
}

const defaultPatienceMilliseconds = 600_000;
const firstPauseMilliseconds = 500;
const longestPauseMilliseconds = 15_000;
/** At most this much of an error response is shown. */
const longestMessage = 500;

/** A response that is not a success. The message contains the text of the server. */
export class HttpResponseError extends UsageError {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface Failure {
  readonly error: UsageError;
  /** A retry does not change the result. */
  readonly isFinal: boolean;
}

/** Sends requests to a server, and retries while it is unreachable, overloaded or limiting. */
export class RetryingClient {
  readonly #options: RetryingClientOptions;
  readonly #base: URL;
  readonly #scrubber = new Scrubber();

  /** Throws a `UsageError` for an invalid address, and for an address with a password. */
  constructor(options: RetryingClientOptions) {
    this.#options = options;
    const { credentials, server, authFlag } = options;
    if (credentials !== undefined) {
      for (const secret of [credentials.secret, credentials.header]) this.#scrubber.add(secret);
    }
    if (!URL.canParse(options.url) || !/^https?:/.test(options.url)) {
      // The text may contain a password, so it is not repeated.
      throw new UsageError(
        `the address of ${server} must begin with http:// or https://, such as http://localhost:9158`,
      );
    }
    const url = new URL(options.url);
    if (url.username !== '' || url.password !== '') {
      throw new UsageError(
        `the address of ${server} must not hold a user or password: all users of this machine can read the command line. Put user:password into a file, and name it with ${authFlag}`,
      );
    }
    this.#base = url;
  }

  get address(): string {
    return this.#base.href.replace(/\/$/, '');
  }

  async json(method: 'GET' | 'POST', path: string): Promise<unknown> {
    const response = await this.send(method, path);
    const text = await response.text().catch(brokenOff);
    try {
      return JSON.parse(text);
    } catch {
      throw new UsageError(`${this.#name} sent no JSON for ${path}: ${this.#shown(text)}`);
    }
  }

  /** Yields the lines of a text as they arrive. */
  async *lines(path: string): AsyncIterable<string> {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of chunksOf(await this.send('GET', path))) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest !== '') yield rest;
  }

  /** Resolves with a success, or rejects with an `HttpResponseError` if a retry cannot help. */
  async send(method: 'GET' | 'POST', path: string, init: RequestInit = {}): Promise<Response> {
    const { clock, signal } = this.#options;
    const { patienceMilliseconds = defaultPatienceMilliseconds, onRetry } = this.#options;
    const giveUpAt = clock.monotonic() + patienceMilliseconds;
    for (
      let pause = firstPauseMilliseconds;
      ;
      pause = Math.min(pause * 2, longestPauseMilliseconds)
    ) {
      const attempt = await this.#attempt(method, path, init);
      if (attempt instanceof Response && attempt.ok) return attempt;
      const failure = await this.#failure(attempt);
      if (failure.isFinal || clock.monotonic() + pause > giveUpAt) throw failure.error;
      if (pause === firstPauseMilliseconds) onRetry?.(failure.error.message);
      const asked = attempt instanceof Response ? this.#askedMilliseconds(attempt) : 0;
      await clock.sleep(Math.max(pause, Math.min(asked, patienceMilliseconds)), signal);
    }
  }

  async #attempt(method: string, path: string, init: RequestInit): Promise<Response | Error> {
    const { signal, credentials } = this.#options;
    const headers = new Headers(init.headers);
    headers.set('User-Agent', 'uptime-exporter');
    if (credentials !== undefined) headers.set('Authorization', credentials.header.reveal());
    try {
      // Following may make a GET of a POST, and leaves the credentials out.
      const redirect = 'manual';
      return await fetch(this.address + path, { ...init, method, headers, signal, redirect });
    } catch (error) {
      signal.throwIfAborted();
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  async #failure(attempt: Response | Error): Promise<Failure> {
    if (attempt instanceof Response) {
      const { status } = attempt;
      const text = await attempt.text().catch(() => '');
      const target = redirectOrigin(attempt.headers.get('Location'), this.#base);
      if (status >= 300 && status < 400 && target !== undefined) {
        const message = `${this.#name} redirects to ${target}; give the address to which it redirects`;
        return { error: new HttpResponseError(status, message), isFinal: true };
      }
      const hint =
        status === 401
          ? `; name a file with user:password or a token with ${this.#options.authFlag}`
          : '';
      const message = `${this.#name} responded with ${status}: ${this.#shown(text)}${hint}`;
      const isFinal = !isTransientStatus(status) || this.#options.isFinal?.(text) === true;
      return { error: new HttpResponseError(status, message), isFinal };
    }
    const message = `cannot reach ${this.#name}: ${this.#shown(reasonOf(attempt))}`;
    return { error: new UsageError(message), isFinal: isRefusedPort(attempt) };
  }

  #askedMilliseconds({ headers }: Response): number {
    const now = this.#options.clock.now();
    const seconds = retryAfterSeconds(headers.get('Retry-After'), headers.get('Date'), now);
    return (seconds ?? 0) * 1000;
  }

  /** The first part of a text, without the credentials. */
  #shown(text: string): string {
    const line = this.#scrubber.scrub(text).trim().replaceAll(/\s+/g, ' ');
    return line.length > longestMessage ? `${line.slice(0, longestMessage)}…` : line;
  }

  get #name(): string {
    return `${this.#options.server} at ${this.address}`;
  }
}

/** Yields the body of a response. Rejects with a `UsageError` if the connection breaks within it. */
export async function* chunksOf({ body }: Response): AsyncIterable<Uint8Array> {
  try {
    yield* body ?? [];
  } catch (error) {
    brokenOff(error);
  }
}

function brokenOff(error: unknown): never {
  const reason = error instanceof Error ? reasonOf(error) : String(error);
  throw new UsageError(`the response broke off (${reason}); run the same command again`);
}

const plainWords: { readonly [code: string]: string } = {
  // OpenSSL's name for a first record of other text; its message is about OpenSSL's own files.
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not use TLS on this port; write http://',
  // The limit of Node.js.
  UND_ERR_HEADERS_TIMEOUT: 'it accepted the request, but did not respond within five minutes',
};

/** OpenSSL's names for a certificate whose authority this machine does not know. */
const unknownAuthority: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** `fetch` refuses the ports of other services, such as 6000 and 10080 (Fetch standard, "port blocking"). */
function isRefusedPort({ cause }: Error): boolean {
  return cause instanceof Error && cause.message === 'bad port';
}

function reasonOf(failure: Error): string {
  if (isRefusedPort(failure)) {
    return 'Node.js sends no request to this port, as browsers do not; let the server listen on another one';
  }
  const { cause, message } = failure;
  // Without a text, it has one error for each address of the name, such as 127.0.0.1 and ::1.
  const [error = cause] = cause instanceof AggregateError ? cause.errors : [];
  if (!(error instanceof Error) || error.message === '') return message;
  const code = codeOf(error);
  if (unknownAuthority.has(code)) {
    return `${error.message}; NODE_EXTRA_CA_CERTS names a file with the certificate of your authority`;
  }
  return plainWords[code] ?? error.message;
}

function isTransientStatus(status: number): boolean {
  return status === 429 || status >= 500;
}
