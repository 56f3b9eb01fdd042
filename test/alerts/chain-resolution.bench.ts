import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { startChild } from '../support/child.ts';
import { freePort } from '../support/free-port.ts';
import { missing, type ToolName, toolPath } from '../support/tools.ts';

const minute = 60_000;
const posted = z.array(z.object({ endsAt: z.coerce.date() }));

/**
 * Both versions at the same time: how long Prometheus repeats a resolution is a constant, so it
 * takes as long as it takes.
 */
const tools: readonly ToolName[] = ['prometheus', 'prometheus-3'];

test.skipIf(tools.some(missing))(
  'Prometheus sends a resolution for the last time eleven minutes after it, as docs/alerting.md says',
  async () => {
    let isDown = true;
    const sent = new Map(tools.map((tool) => [tool, { firing: 0, resolutions: [] as number[] }]));
    const target = await serve((_incoming, reply) => {
      reply.setHeader('content-type', 'text/plain; version=0.0.4');
      reply.end(`site_down ${isDown ? 1 : 0}\n`);
    });
    for (const [tool, of] of sent) {
      const alertmanager = await serve(async (incoming, reply) => {
        const alerts = posted.parse(JSON.parse(await text(incoming)));
        // An alert that fires ends in the future.
        if (alerts.some(({ endsAt }) => endsAt.getTime() > Date.now())) of.firing++;
        else of.resolutions.push(Date.now() / minute);
        reply.end();
      });
      await startPrometheus(tool, target, alertmanager);
    }
    const each = [...sent.values()];
    await expect
      .poll(() => each.every(({ firing }) => firing > 0), { timeout: 5 * minute })
      .toBe(true);

    isDown = false;
    await expect
      .poll(() => each.every(({ resolutions }) => resolutions.length > 0), { timeout: 5 * minute })
      .toBe(true);
    await wait(18 * minute);

    for (const { resolutions } of each) {
      const [first = 0] = resolutions;
      const after = resolutions.map((at) => Math.round(2 * (at - first)) / 2);
      expect(after).toEqual([0, 5.5, 11]);
    }
  },
);

/** With the intervals of deploy/prometheus and the resend delay of deploy/compose.yaml. */
async function startPrometheus(tool: ToolName, target: string, alertmanager: string) {
  const folder = await mkdtemp(join(tmpdir(), 'resolution-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await writeFile(
    join(folder, 'rules.yaml'),
    stringify({
      groups: [{ name: 'site', rules: [{ alert: 'SiteDown', expr: 'site_down == 1' }] }],
    }),
  );
  await writeFile(
    join(folder, 'prometheus.yaml'),
    stringify({
      global: { scrape_interval: '30s', evaluation_interval: '30s' },
      rule_files: [join(folder, 'rules.yaml')],
      alerting: { alertmanagers: [{ static_configs: [{ targets: [alertmanager] }] }] },
      scrape_configs: [{ job_name: 'site', static_configs: [{ targets: [target] }] }],
    }),
  );
  startChild(toolPath(tool), [
    `--config.file=${join(folder, 'prometheus.yaml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${await freePort()}`,
    '--rules.alert.resend-delay=5m',
  ]);
}

/** The address of a server of this process. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
