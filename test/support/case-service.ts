import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { unixSeconds, type WallClock } from '../../src/lib/clock.ts';

/**
 * A service with fixed responses, `{"routes": {PATH: BODY}}`. Paths are relative to `/api/3.1`, and
 * `*` stands for an id. A body is JSON, or `{"$status", "$headers", "$text" | "$body"}`, or
 * `{"$seq": [BODY, …], "$cycle": true}` for one body after another. In texts, `@-60` is 60 s before
 * now, `#-60` is 60 s before the start of the service, `@~60` is the last full minute, `@iso-60` a
 * date and `@str-60` digits. Every `noLimitsEvery`-th response lacks the limit headers.
 */
interface ServiceCase {
  readonly routes: Readonly<Record<string, unknown>>;
  readonly limits?: { readonly short: number; readonly long: number };
  readonly noLimitsEvery?: number;
}

/** Empty responses for all other paths. */
const emptyResponses: readonly (readonly [path: RegExp, body: object])[] = [
  [/^\/checks$/, { checks: [], counts: { total: 0, limited: 0, filtered: 0 } }],
  [/^\/tms\/check$/, { checks: [], limit: 1000, offset: 0 }],
  [/^\/tms\/check\/report\/status$/, { report: [] }],
  [/report\/performance$/, { report: { intervals: [] } }],
  [/^\/maintenance$/, { maintenance: [] }],
  [/^\/maintenance\.occurrences$/, { occurrences: [] }],
  [/^\/actions$/, { actions: { alerts: [] } }],
  [/^\/credits$/, { credits: {} }],
  [/^\/(summary\.)?probes/, { probes: [] }],
  [/^\/alerting\/contacts$/, { contacts: [] }],
  [/^\/alerting\/teams$/, { teams: [] }],
  [/^\/summary\.outage\//, { summary: { states: [] } }],
  [/^\/summary\.performance\//, { summary: { hours: [] } }],
  [/^\/summary\.hoursofday\//, { hoursofday: [] }],
  [/^\/summary\.average\//, { summary: { responsetime: {}, status: {} } }],
  [/^\/results\//, { results: [], activeprobes: [] }],
  [/^\/analysis\//, { analysis: [] }],
];

export class CaseService {
  readonly #case: ServiceCase;
  readonly #clock: WallClock;
  readonly #startSeconds: number;
  /** How often each path was requested. */
  readonly requests = new Map<string, number>();
  #responses = 0;

  /** Reads `test/system/cases/NAME.json`. */
  constructor(name: string, clock: WallClock) {
    const file = join(import.meta.dirname, '..', 'system', 'cases', `${name}.json`);
    this.#case = JSON.parse(readFileSync(file, 'utf8'));
    this.#clock = clock;
    this.#startSeconds = unixSeconds(clock);
  }

  readonly listener: RequestListener = ({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://service');
    const path = pathname.replace(/^\/api\/3\.1/, '').replace(/\/$/, '');
    const earlier = this.requests.get(path) ?? 0;
    this.requests.set(path, earlier + 1);
    const found = this.#bodyOf(path, earlier);
    const { $status, $headers, $text, $body, ...plain } = found as Record<string, unknown>;
    const isPlain = $status === undefined && $text === undefined && $body === undefined;
    response.writeHead($status === undefined ? 200 : Number($status), {
      date: new Date(this.#clock.now()).toUTCString(),
      'content-type': typeof $text === 'string' ? 'text/html' : 'application/json',
      ...this.#limitHeaders(),
      ...($headers as Record<string, string> | undefined),
    });
    const body = isPlain ? plain : ($body ?? {});
    response.end(typeof $text === 'string' ? $text : JSON.stringify(this.#timed(body)));
  };

  #bodyOf(path: string, earlier: number): object {
    const { routes } = this.#case;
    const body = routes[path] ?? routes[path.replace(/\/\d+(?=\/|$)/, '/*')];
    if (body === undefined) {
      return emptyResponses.find(([pattern]) => pattern.test(path))?.[1] ?? notFound;
    }
    const { $seq, $cycle } = body as { $seq?: readonly object[]; $cycle?: boolean };
    if ($seq === undefined) return body as object;
    const place = $cycle === true ? earlier % $seq.length : Math.min(earlier, $seq.length - 1);
    return $seq[place] ?? notFound;
  }

  #limitHeaders(): Record<string, string> {
    this.#responses += 1;
    const { limits = { short: 4_000, long: 720_000 }, noLimitsEvery } = this.#case;
    if (noLimitsEvery !== undefined && this.#responses % noLimitsEvery === 0) return {};
    const passed = unixSeconds(this.#clock) - this.#startSeconds;
    const header = (limit: number, seconds: number) =>
      `Remaining: ${Math.max(0, limit - this.#responses)} Time until reset: ${seconds - (passed % seconds)}`;
    return {
      'Req-Limit-Short': header(limits.short, 3_600),
      'Req-Limit-Long': header(limits.long, 30 * 86_400),
    };
  }

  #timed(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#timed(each));
    if (typeof value === 'string') return this.#time(value);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.#timed(each)]));
  }

  #time(text: string): unknown {
    const [, base, form, offset = '0'] = /^([@#])(~|iso|str)?([+-]?\d+)$/.exec(text) ?? [];
    if (base === undefined) return text;
    const now = unixSeconds(this.#clock);
    if (form === '~') return now - (now % Number(offset));
    const seconds = (base === '@' ? now : this.#startSeconds) + Number(offset);
    if (form === 'str') return String(seconds);
    return form === 'iso' ? new Date(seconds * 1000).toISOString() : seconds;
  }
}

const notFound = {
  $status: 404,
  $body: { error: { statuscode: 404, statusdesc: 'Not Found', errormessage: 'Not found' } },
};
