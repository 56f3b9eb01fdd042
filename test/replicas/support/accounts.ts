import { createSandbox, type Sandbox } from '../../../sandbox/src/sandbox.ts';
import { type Listening, listenOn } from '../../../sandbox/src/server/listen.ts';
import { scaledClock } from '../../../sandbox/src/simulation/clocks.ts';
import { systemClock, unixSeconds } from '../../../src/lib/clock.ts';
import { Link } from './link.ts';
import type { ServiceRequest } from './request-law.ts';

export const accountToken = 'sandbox-token-1234567890';
/** So many requests of an account may be in flight. */
export const concurrency = 2;
/** A fifth of each window is reserved for the account's other users. */
export const reserveShare = 0.2;
const checks = 3;
const transactions = 1;
/** In an hour. The first account has few, so that its budget counts. */
const [fewRequests, manyRequests] = [600, 20_000];

/** One simulated account of the service, and every request for it. */
export interface SandboxAccount {
  readonly name: string;
  readonly sandbox: Sandbox;
  /** The way of each replica to the service. */
  readonly links: ReadonlyMap<string, Link>;
  readonly requests: readonly ServiceRequest[];
  /** Resolves when the next request for such a path arrives. */
  nextRequest(path: RegExp): Promise<void>;
  /** The fewest requests that were ever left in the smaller window. */
  least(): number;
  readonly limit: number;
  /** The time of the service in UNIX seconds. */
  nowSeconds(): number;
  close(): Promise<void>;
}

/**
 * An account whose checks are tested every minute of a time that runs faster, and fail now and
 * then, so that outages are there to be counted twice or lost.
 */
export async function startAccount(
  name: string,
  replicas: readonly string[],
  {
    speed,
    seed,
    isTight,
  }: { readonly speed: number; readonly seed: number; readonly isTight: boolean },
): Promise<SandboxAccount> {
  const clock = scaledClock(systemClock, speed);
  const shortLimit = isTight ? fewRequests : manyRequests;
  const sandbox = createSandbox({
    clock,
    limitsClock: clock,
    checks,
    transactions,
    seed,
    shortLimit,
    longLimit: 1_000_000,
    token: accountToken,
  });
  plantOutages(sandbox, unixSeconds(clock));
  const requests: { -readonly [K in keyof ServiceRequest]: ServiceRequest[K] }[] = [];
  const waiting = new Set<(path: string) => void>();
  let least = shortLimit;
  const listeners: Listening[] = [];
  const links = new Map<string, Link>();
  for (const replica of replicas) {
    const listening = await listenOn(
      (request, response) => {
        const at = performance.now();
        const seen = { replica, at, end: Number.POSITIVE_INFINITY };
        requests.push(seen);
        for (const see of waiting) see((request.url ?? '').replace(/\?.*/, ''));
        response.once('close', () => {
          seen.end = performance.now();
          least = Math.min(least, sandbox.limits.reading('short').remaining);
        });
        sandbox.app(request, response);
      },
      '127.0.0.1',
      0,
    );
    listeners.push(listening);
    links.set(replica, await Link.to(Number(new URL(listening.url).port)));
  }
  return {
    name,
    sandbox,
    links,
    requests,
    limit: shortLimit,
    nextRequest: (pattern) =>
      new Promise((resolve) => {
        const see = (path: string) => {
          if (!pattern.test(path)) return;
          waiting.delete(see);
          resolve();
        };
        waiting.add(see);
      }),
    least: () => least,
    nowSeconds: () => unixSeconds(clock),
    close: async () => {
      await Promise.all([...links.values()].map((link) => link.close()));
      await Promise.all(listeners.map((listening) => listening.close()));
    },
  };
}

function plantOutages(sandbox: Sandbox, now: number): void {
  for (const [position, check] of sandbox.world.checks.entries()) {
    const phaseSeconds = (position * 5) % 60;
    const runs = [{ from: check.created, resolutionSeconds: 60, phaseSeconds }];
    sandbox.world.registry.put({ ...check, resolutionMinutes: 1, runs });
    for (let from = now + 60 * position; from < now + 86_400; from += 60 * (9 + position)) {
      sandbox.world.plant({ checkId: check.id, status: 'down', from, to: from + 60 * 3 });
    }
  }
}
