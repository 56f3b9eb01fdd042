import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { extent } from '../support/extent.ts';
import { connectTo } from '../support/raw-http.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { statesOnly } from '../support/states-only.ts';

/** Less than an idle connection lives, so that the scrape has not waited for the end of another. */
const mostMilliseconds = 60_000;

test('clients that send many requests on each connection and read no response delay no scrape from their address', async () => {
  const exporter = await RestartableExporter.create({
    // Its page is larger than what a connection buffers.
    checks: extent(1_000, 3_000),
    transactions: 0,
    shortLimit: 100,
    account: { datasets: statesOnly },
  });
  await exporter.start();
  await exporter.pass(120);
  const sockets = await Promise.all(Array.from({ length: 45 }, () => connectTo(exporter.url)));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });

  for (const socket of sockets) {
    socket.pause();
    socket.write('GET /metrics HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(extent(50, 200)));
  }

  const { statusCode, body } = await request(`${exporter.url}/metrics`, {
    headersTimeout: mostMilliseconds,
    bodyTimeout: mostMilliseconds,
  });
  expect(statusCode).toBe(200);
  expect(await body.text()).toContain('uptime_check_up{');
});
