import type { Received } from '../support/chain-programs.ts';

/** A message to a receiver, in the words of docs/alerting.md: `pager: +CheckDown ×2 -CheckSlow`. */
export interface News {
  /** UNIX milliseconds. */
  readonly at: number;
  readonly words: string;
  readonly texts: readonly string[];
}

type Alert = Received['alerts'][number];

/**
 * For each message, how it differs from the one before to the same receiver about the same group:
 * `+` fires, `-` is resolved, `~` is resolved as an earlier message has already said.
 */
export function newsOf(messages: readonly Received[]): readonly News[] {
  const firingOf = new Map<string, ReadonlySet<string>>();
  return messages.map(({ at, receiver, groupLabels, alerts }) => {
    const group = `${receiver} ${JSON.stringify(groupLabels)}`;
    const before = firingOf.get(group) ?? new Set();
    const id = (alert: Alert) => JSON.stringify(alert.labels);
    const signOf = (alert: Alert) => {
      const wasFiring = before.has(id(alert));
      if (alert.status === 'resolved') return wasFiring ? '-' : '~';
      return wasFiring ? undefined : '+';
    };
    const firing = alerts.filter(({ status }) => status === 'firing');
    firingOf.set(group, new Set(firing.map(id)));
    const counts = new Map<string, number>();
    for (const alert of alerts) {
      const sign = signOf(alert);
      if (sign === undefined) continue;
      const key = `${sign}${alert.labels.alertname?.replace('Uptime', '') ?? ''}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const words = [...counts].map(([key, count]) => (count === 1 ? key : `${key} ×${count}`));
    return {
      at,
      words: `${receiver}: ${words.sort().join(' ') || 'again'}`,
      texts: alerts.map(
        ({ status, annotations: { summary, description } }) =>
          `${status}: ${summary}\n${description}`,
      ),
    };
  });
}

/** Whether a message of these words tells of a change. */
export function isNews(words: string): boolean {
  return / [+-]/.test(words);
}
