import type { Received, SentAlert } from '../support/chain-programs.ts';

/** A message to a receiver, in the words of docs/alerting.md: `pager: +CheckDown ×2 -CheckSlow`. */
export interface News {
  /** UNIX milliseconds. */
  readonly at: number;
  readonly words: string;
  readonly texts: readonly string[];
}

type Alert = Received['alerts'][number];

const idOf = ({ labels }: { readonly labels: Alert['labels'] }) =>
  JSON.stringify(Object.entries(labels).sort());

/**
 * For each message, how it differs from the one before to the same receiver about the same group:
 * `+` fires, `-` is resolved, `~` is resolved as an earlier message has already said.
 */
export function newsOf(messages: readonly Received[]): readonly News[] {
  const firingOf = new Map<string, ReadonlySet<string>>();
  return messages.map(({ at, receiver, groupLabels, alerts }) => {
    const group = `${receiver} ${JSON.stringify(groupLabels)}`;
    const before = firingOf.get(group) ?? new Set();
    const signOf = (alert: Alert) => {
      const wasFiring = before.has(idOf(alert));
      if (alert.status === 'resolved') return wasFiring ? '-' : '~';
      return wasFiring ? undefined : '+';
    };
    const firing = alerts.filter(({ status }) => status === 'firing');
    firingOf.set(group, new Set(firing.map(idOf)));
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

/**
 * The outages that Prometheus reported, and that no message showed as open while they were: the
 * first that a receiver hears of such an outage is that it is over.
 */
export function outagesNeverReported(
  sent: readonly SentAlert[],
  messages: readonly Received[],
): readonly Pick<News, 'at' | 'words'>[] {
  const mentions = messages.flatMap(({ at, alerts }) =>
    alerts.map((alert) => ({ at, id: idOf(alert), isFiring: alert.status === 'firing' })),
  );
  return outagesOf(sent)
    .filter(({ id, begin, end }) => {
      const shown = mentions.filter((one) => one.id === id);
      return !shown.some(
        ({ at, isFiring }, place) =>
          isFiring && at <= end && (shown[place + 1]?.at ?? end) >= begin,
      );
    })
    .map(({ name, end }) => ({ at: end, words: `nobody: +${name.replace('Uptime', '')}` }));
}

/** When each item went down and came back, as Prometheus sent it. */
function outagesOf(sent: readonly SentAlert[]) {
  const names = ['UptimeCheckDown', 'UptimeTransactionFailing'];
  const open = new Map<string, number>();
  const outages: { id: string; name: string; begin: number; end: number }[] = [];
  for (const alert of sent) {
    const name = alert.labels.alertname ?? '';
    if (!names.includes(name)) continue;
    const id = idOf(alert);
    const begin = open.get(id);
    if (alert.endsAt > alert.at) {
      if (begin === undefined) open.set(id, alert.at);
    } else if (begin !== undefined) {
      outages.push({ id, name, begin, end: alert.at });
      open.delete(id);
    }
  }
  return outages;
}

/** Whether a message of these words tells of a change. */
export function isNews(words: string): boolean {
  return / [+-]/.test(words);
}
