import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { request } from 'undici';
import { onTestFinished } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { startChild } from '../support/child.ts';
import { freePort } from '../support/free-port.ts';
import { toolPath } from '../support/tools.ts';

const example = join(
  import.meta.dirname,
  '..',
  '..',
  'deploy',
  'alertmanager',
  'alertmanager.yaml',
);

const labels = z.record(z.string(), z.string());
const notification = z.object({
  receiver: z.string(),
  status: z.string(),
  groupLabels: labels,
  alerts: z.array(z.object({ status: z.string(), labels, annotations: labels })),
});
export type Notification = z.infer<typeof notification>;
export type Labels = Readonly<Record<string, string>>;

const held = z.array(z.object({ labels, status: z.object({ state: z.string() }) }));

export interface Alertmanager {
  /** host:port */
  readonly address: string;
  /** All notifications so far. */
  readonly sent: readonly Notification[];
  /** Resolves with the first notification that meets the condition, including earlier ones. */
  notified(condition: (one: Notification) => boolean): Promise<Notification>;
  post(alerts: readonly Labels[]): Promise<void>;
  /** Resolves when it was stopped and started again, with its storage. */
  restarted(): Promise<void>;
  /** Resolves with its alerts and their states, once all are processed. */
  states(): Promise<{ readonly state: string; readonly labels: Labels }[]>;
}

/** A real Alertmanager with the example's routes and silences. This process is every receiver. */
export async function startAlertmanager(): Promise<Alertmanager> {
  const folder = await mkdtemp(join(tmpdir(), 'alertmanager-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const sent: Notification[] = [];
  const watchers = new Set<() => void>();
  const webhook = createServer(async (incoming, reply) => {
    sent.push(notification.parse(await json(incoming)));
    reply.end();
    for (const watch of watchers) watch();
  }).listen(0, '127.0.0.1');
  await once(webhook, 'listening');
  onTestFinished(() => {
    webhook.closeAllConnections();
    webhook.close();
  });
  const file = join(folder, 'alertmanager.yaml');
  await writeFile(file, sendingTo(`http://127.0.0.1:${(webhook.address() as AddressInfo).port}/`));
  const address = `127.0.0.1:${await freePort()}`;
  const start = () =>
    startChild(toolPath('alertmanager'), [
      `--config.file=${file}`,
      `--storage.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
      '--cluster.listen-address=',
    ]);
  let server = start();
  await server.until(/Listening on/);
  const restarted = async () => {
    server.process.kill('SIGTERM');
    await server.ended;
    server = start();
    await server.until(/Listening on/);
  };

  const notified = (condition: (one: Notification) => boolean) =>
    new Promise<Notification>((resolve) => {
      const watch = () => {
        const found = sent.find(condition);
        if (found === undefined) return;
        watchers.delete(watch);
        resolve(found);
      };
      watchers.add(watch);
      watch();
    });
  const post = async (alerts: readonly Labels[]) => {
    const { statusCode, body } = await request(`http://${address}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(alerts.map((one) => ({ labels: one }))),
    });
    await body.dump();
    if (statusCode !== 200) throw new Error(`the Alertmanager answered ${statusCode}`);
  };
  const states = async () => {
    for (;;) {
      const { body } = await request(`http://${address}/api/v2/alerts`);
      const alerts = held.parse(await body.json());
      if (alerts.some(({ status }) => status.state === 'unprocessed')) continue;
      return alerts.map((one) => ({ state: one.status.state, labels: one.labels }));
    }
  };
  return { address, sent, notified, post, restarted, states };
}

/** The example with shorter waits and with receivers. */
function sendingTo(url: string): string {
  const { route, receivers, ...rest } = parse(readFileSync(example, 'utf8'));
  return stringify({
    ...rest,
    route: { ...route, group_wait: '1s', group_interval: '1s' },
    receivers: receivers.map(({ name }: { name: string }) => ({
      name,
      webhook_configs: [{ url, send_resolved: name !== 'tickets' }],
    })),
  });
}
