import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { formatDuration, parseDuration } from '../../src/config/fields.ts';

/** Prometheus evaluates simultaneous failures within this time, even on a busy machine. */
const shortestGroupWaitSeconds = 1.5;

/** The example with divided durations. This process is every receiver. */
export function dividedRoutes(url: string, divisor: number, groupWait?: string): string {
  const file = join(import.meta.dirname, '..', '..', 'deploy', 'alertmanager', 'alertmanager.yaml');
  const { route, receivers, ...rest } = parse(readFileSync(file, 'utf8'));
  return stringify({
    ...rest,
    route: {
      ...dividedRoute(route, divisor),
      ...(groupWait !== undefined && { group_wait: divided(groupWait, divisor) }),
    },
    receivers: receivers.map(({ name }: { name: string }) => ({
      name,
      webhook_configs: [{ url, send_resolved: name !== 'tickets' }],
    })),
  });
}

interface Route {
  readonly routes?: readonly Route[];
  readonly [key: string]: unknown;
}

function dividedRoute({ routes: inner, ...route }: Route, divisor: number): Route {
  const keys = ['group_wait', 'group_interval', 'repeat_interval'];
  const changed = keys.flatMap((key) => {
    const value = route[key];
    if (typeof value !== 'string') return [];
    return [
      [key, divided(value, divisor, key === 'group_wait' ? shortestGroupWaitSeconds : 0.001)],
    ];
  });
  return {
    ...route,
    ...Object.fromEntries(changed),
    ...(inner !== undefined && { routes: inner.map((one) => dividedRoute(one, divisor)) }),
  };
}

/** A duration of the service in the servers' time. */
export function divided(duration: string, divisor: number, leastSeconds = 0.001): string {
  return formatDuration(Math.max(leastSeconds, (parseDuration(duration) ?? 0) / divisor));
}
