import { UsageError } from '../../config/problems.ts';
import type { Clock } from '../../lib/clock.ts';

interface HttpClientOptions {
  /** May contain a user and a password, for basic authentication. */
  readonly url: string;
  /** Names the server in messages, such as `the exporter`. */
  readonly server: string;
  readonly clock: Pick<Clock, 'sleep' | 'monotonic'>;
  readonly signal: AbortSignal;
}

/** A server that is restarting, or that asks for a pause, gets this time. */
const patienceMilliseconds = 600_000;
const firstPauseMilliseconds = 500;
const longestPauseMilliseconds = 15_000;
/** Of the text of an error response, as much as a person reads. */
const longestMessage = 500;

/** A response that is no success; the message has the server's own words. */
export class HttpResponseError extends UsageError {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Sends requests to one server; retries while it cannot be reached, is overloaded or limits requests. */
export class RetryingClient {
  readonly #options: HttpClientOptions;
  readonly #base: URL;
  readonly #authorization: string | undefined;

  /** Throws a `UsageError` for what is no address. */
  constructor(options: HttpClientOptions) {
    this.#options = options;
    if (!URL.canParse(options.url) || !/^https?:/.test(options.url)) {
      // The text may hold a password, so it is not repeated.
      throw new UsageError(
        `the address of ${options.server} must begin with http:// or https://, such as http://localhost:9158`,
      );
    }
    const url = new URL(options.url);
    const { username, password } = url;
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    this.#authorization =
      username === '' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
    [url.username, url.password] = ['', ''];
    this.#base = url;
  }

  /** The address without credentials. */
  get address(): string {
    return this.#base.href.replace(/\/$/, '');
  }

  async json(method: 'GET' | 'POST', path: string): Promise<unknown> {
    const response = await this.send(method, path);
    const text = await response.text();
    try {
      return JSON.parse(text);
    } catch {
      throw new UsageError(`${this.#name} sent no JSON for ${path}: ${shortened(text)}`);
    }
  }

  /** The lines of a text, as they come. */
  async *lines(path: string): AsyncIterable<string> {
    const { body } = await this.send('GET', path);
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of body ?? []) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest !== '') yield rest;
  }

  /** Resolves with a success. Rejects with an `HttpResponseError` for any other response that a retry does not change. */
  async send(method: 'GET' | 'POST', path: string, init: RequestInit = {}): Promise<Response> {
    const { clock, signal } = this.#options;
    const giveUpAt = clock.monotonic() + patienceMilliseconds;
    for (
      let pause = firstPauseMilliseconds;
      ;
      pause = Math.min(pause * 2, longestPauseMilliseconds)
    ) {
      const attempt = await this.#attempt(method, path, init);
      if (attempt instanceof Response && attempt.ok) return attempt;
      const isTransient = !(attempt instanceof Response) || isTransientStatus(attempt.status);
      if (!isTransient || clock.monotonic() + pause > giveUpAt) throw await this.#failure(attempt);
      const asked = attempt instanceof Response ? retryAfterMilliseconds(attempt) : 0;
      await clock.sleep(Math.max(pause, asked), signal);
    }
  }

  async #attempt(method: string, path: string, init: RequestInit): Promise<Response | Error> {
    const { signal } = this.#options;
    const headers = new Headers(init.headers);
    if (this.#authorization !== undefined) headers.set('Authorization', this.#authorization);
    try {
      return await fetch(this.address + path, { ...init, method, headers, signal });
    } catch (error) {
      signal.throwIfAborted();
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  async #failure(attempt: Response | Error): Promise<Error> {
    if (attempt instanceof Response) {
      const text = shortened(await attempt.text());
      return new HttpResponseError(
        attempt.status,
        `${this.#name} responded with ${attempt.status}: ${text}`,
      );
    }
    const { cause } = attempt;
    const reason = cause instanceof Error && cause.message !== '' ? cause.message : attempt.message;
    return new UsageError(`cannot reach ${this.#name}: ${reason}`);
  }

  get #name(): string {
    return `${this.#options.server} at ${this.address}`;
  }
}

function isTransientStatus(status: number): boolean {
  return status === 429 || status >= 500;
}

function retryAfterMilliseconds(response: Response): number {
  const seconds = Number(response.headers.get('Retry-After') ?? 0);
  return Number.isFinite(seconds) ? Math.min(seconds * 1000, patienceMilliseconds) : 0;
}

function shortened(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length > longestMessage ? `${line.slice(0, longestMessage)}…` : line;
}
