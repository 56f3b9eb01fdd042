import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Clock, unixSeconds } from '../../lib/clock.ts';
import { startSlices, yieldToEventLoop } from '../../lib/event-loop.ts';
import { zonedTimes } from '../../lib/zoned-times.ts';
import { styleSheet } from '../assets.ts';
import { otherAccounts } from '../common/query.ts';
import type { HttpLogger, StatusSource } from '../ports.ts';
import { type PublicFile, publicFile, sendFile, sendLine } from './public-file.ts';
import type { PublicPage } from './public-status.ts';

interface PublicPagesOptions {
  /** The configured pages; the same array until they change. */
  readonly pages: () => readonly PublicPage[];
  readonly status: StatusSource;
  readonly clock: Clock;
  /** The name of the time zone of days and times. */
  readonly timeZone: () => string;
  readonly isRestored: () => boolean;
  /** The prefix of every path, such as `/uptime`; by default empty. */
  readonly routePrefix?: string;
  readonly logger?: HttpLogger;
}

/** A page is rendered at most once in this time, for any number of readers. */
const freshSeconds = 30;
/** With more readers at once, further ones get 503, so that connections are left for scrapers. */
export const mostReaders = 200;
/** The connection of a reader who takes longer is closed. */
const readMilliseconds = 10_000;

/** A page in its forms, `missing` if its group does not exist, or why it is not available. */
type Rendering = { readonly html: PublicFile; readonly json: PublicFile } | string;

interface LastRendering {
  readonly atMilliseconds: number;
  readonly rendering: Promise<Rendering>;
}

type Target = { readonly page: PublicPage; readonly form: 'html' | 'json' } | 'style';

/** Loaded when a page is first opened: most installations have none. */
const loadForms = () => import('./forms.ts');

/**
 * The pages that everyone may read, while the rest may need a password or a host name of its own.
 * They come before the rest. A path is public if it is, byte by byte and without its query, that of
 * a configured page or of the style sheet of these: nothing is decoded, so that no other spelling of
 * a path can be public.
 */
export class PublicPages {
  readonly #options: PublicPagesOptions;
  #configured: readonly PublicPage[] = [];
  #targets: ReadonlyMap<string, Target> = new Map();
  readonly #last = new Map<string, LastRendering>();
  #style: Promise<PublicFile> | undefined;
  #readers = 0;

  constructor(options: PublicPagesOptions) {
    this.#options = options;
  }

  /** Returns a listener that responds to requests for public paths, and passes on all others. */
  before(rest: RequestListener): RequestListener {
    return (request, response) => {
      const target = this.#targetOf(request.url ?? '');
      if (target === undefined) {
        rest(request, response);
        return;
      }
      this.#respond(target, { request, response, rest }).catch((error: unknown) => {
        const { method, url } = request;
        this.#options.logger?.error({ error, method, path: url }, 'request failed');
        if (response.headersSent) response.destroy();
        else sendLine(request, response, 500, 'Internal error');
      });
    };
  }

  #targetOf(url: string): Target | undefined {
    const pages = this.#options.pages();
    if (pages !== this.#configured) {
      this.#configured = pages;
      this.#targets = targetsOf(pages, this.#options.routePrefix);
      this.#last.clear();
    }
    const [path = ''] = url.split('?', 1);
    return this.#targets.get(path);
  }

  async #respond(target: Target, { request, response, rest }: PageExchange): Promise<void> {
    if (this.#readers >= mostReaders) {
      response.setHeader('Retry-After', freshSeconds);
      sendLine(request, response, 503, 'Too many readers, try again later.');
      return;
    }
    const leave = this.#enter(response);
    const found = await this.#found(target);
    if (found === 'missing') {
      leave();
      rest(request, response);
    } else if (typeof found === 'string') {
      sendLine(request, response, 503, found);
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      sendLine(request, response, 405, 'Method not allowed: use GET or HEAD.');
    } else {
      sendFile(request, response, found);
    }
  }

  /** The file, `missing` if there is no such page, or why it is not available. */
  async #found(target: Target): Promise<PublicFile | string> {
    if (target === 'style') {
      this.#style ??= styleFile();
      return this.#style;
    }
    if (!this.#options.isRestored()) return 'Not available yet, try again later.';
    const rendering = await this.#rendering(target.page);
    return typeof rendering === 'string' ? rendering : rendering[target.form];
  }

  /** Counts a reader until the response has ended, or the returned function is called. */
  #enter(response: ServerResponse): () => void {
    const ended = new AbortController();
    this.#readers++;
    ended.signal.addEventListener('abort', () => {
      this.#readers--;
    });
    response.once('close', () => ended.abort());
    this.#options.clock.sleep(readMilliseconds, ended.signal).then(
      () => response.destroy(),
      () => undefined,
    );
    return () => ended.abort();
  }

  #rendering(page: PublicPage): Promise<Rendering> {
    const now = this.#options.clock.monotonic();
    const last = this.#last.get(page.name);
    if (last !== undefined && now - last.atMilliseconds < freshSeconds * 1000) {
      return last.rendering;
    }
    const next = { atMilliseconds: now, rendering: this.#render(page) };
    this.#last.set(page.name, next);
    next.rendering.catch(() => this.#last.delete(page.name));
    return next.rendering;
  }

  async #render(page: PublicPage): Promise<Rendering> {
    const { status: source, clock, timeZone } = this.#options;
    const { name, account } = page;
    const status = source.accounts().find(({ snapshot }) => snapshot.account === account);
    if (status === undefined) {
      const isElsewhere = otherAccounts(source).some((other) => other.account === account);
      return isElsewhere ? 'Not available here, try again later.' : 'missing';
    }
    const { publicStatus, publicJson, publicView } = await loadForms();
    const time = zonedTimes(timeZone());
    const yieldIfDue = startSlices({ clock, yieldToEventLoop });
    const nowSeconds = unixSeconds(clock);
    const shown = await publicStatus({ page, status, nowSeconds, time, yieldIfDue });
    if (shown === undefined) return 'missing';
    const text = publicView({ status: shown, time, style: styleName(), json: `${name}.json` });
    const json = `${JSON.stringify(publicJson(shown))}\n`;
    const caching = `public, max-age=${freshSeconds}`;
    return {
      html: await publicFile('text/html; charset=utf-8', text, caching),
      json: await publicFile('application/json; charset=utf-8', json, caching),
    };
  }
}

interface PageExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly rest: RequestListener;
}

function targetsOf(pages: readonly PublicPage[], prefix = ''): ReadonlyMap<string, Target> {
  if (pages.length === 0) return new Map();
  const folder = `${prefix}/status/`;
  return new Map<string, Target>([
    [`${folder}${styleName()}`, 'style'],
    ...pages.flatMap((page): [string, Target][] => [
      [`${folder}${page.name}`, { page, form: 'html' }],
      [`${folder}${page.name}.json`, { page, form: 'json' }],
    ]),
  ]);
}

/** Contains a hash of the content, so that browsers may keep it; no name of a page has a dot. */
function styleName(): string {
  return styleSheet().path.replace(/^.*\//, '');
}

function styleFile(): Promise<PublicFile> {
  const caching = 'public, max-age=31536000, immutable';
  return publicFile('text/css; charset=utf-8', styleSheet().body, caching);
}
