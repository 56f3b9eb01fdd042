import { z } from 'zod';

const labels = z.record(z.string(), z.string());
const notification = z.object({
  receiver: z.string(),
  groupLabels: labels,
  alerts: z.array(z.object({ status: z.string(), labels, annotations: labels })),
});

/** The changes in one message to a receiver, such as `pager: +CheckDown ×2 -CheckSlow`. */
export interface Message {
  readonly minute: number;
  /** By the clock of the service, in milliseconds. */
  readonly at: number;
  /** The ids of its firing checks. */
  readonly firing: readonly string[];
  readonly account: string;
  readonly words: string;
  readonly texts: readonly string[];
}

/** The messages to all receivers. Each entry has only the changes since the previous message. */
export class MessageLog {
  readonly messages: Message[] = [];
  readonly #firing = new Map<string, ReadonlySet<string>>();

  add(received: unknown, minute: number, at: number): void {
    const { receiver, groupLabels, alerts } = notification.parse(received);
    const [one] = alerts;
    if (one === undefined) return;
    const group = `${receiver} ${JSON.stringify(groupLabels)}`;
    const before = this.#firing.get(group) ?? new Set();
    const id = (alert: (typeof alerts)[number]) => JSON.stringify(alert.labels);
    const firing = alerts.filter(({ status }) => status === 'firing');
    const news = [
      ...firing.filter((alert) => !before.has(id(alert))).map((alert) => ['+', alert] as const),
      // The message about a resolved group also has inhibited alerts that were never sent. Those
      // are not news.
      ...alerts
        .filter((alert) => alert.status === 'resolved' && before.has(id(alert)))
        .map((alert) => ['-', alert] as const),
    ];
    this.#firing.set(group, new Set(firing.map(id)));
    const counts = new Map<string, number>();
    for (const [sign, alert] of news) {
      const key = `${sign}${alert.labels.alertname?.replace('Uptime', '') ?? ''}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const words = [...counts].map(([key, count]) => (count === 1 ? key : `${key} ×${count}`));
    this.messages.push({
      minute,
      at,
      firing: firing.map((alert) => alert.labels.check_id ?? ''),
      account: one.labels.account ?? one.labels.instance ?? '',
      words: `${receiver}: ${words.sort().join(' ') || 'again'}`,
      texts: alerts.map(
        ({ annotations: { summary, description } }) => `${summary}\n${description}`,
      ),
    });
  }
}
