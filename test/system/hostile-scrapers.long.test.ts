import type { Socket } from 'node:net';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { connectTo, readToEnd, scrapeWithoutReading } from '../support/raw-http.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { statesOnly } from '../support/states-only.ts';

const mostScrapes = 40;

async function statusOf(exporter: RestartableExporter, path: string): Promise<number> {
  const { statusCode, body } = await request(exporter.url + path);
  await body.text();
  return statusCode;
}

async function untilServed(exporter: RestartableExporter): Promise<void> {
  await expect.poll(() => statusOf(exporter, '/metrics')).toBe(200);
}

/**
 * Scrapers from as many addresses that read nothing take every slot, including that of a scrape
 * that was admitted to try.
 */
async function occupy(exporter: RestartableExporter, sockets: Socket[]): Promise<void> {
  let address = 0;
  const scrape = async () => {
    address++;
    const from = `127.0.1.${address}`;
    sockets.push(await scrapeWithoutReading(exporter.url, { from }));
  };
  for (let scraper = 0; scraper < mostScrapes; scraper++) await scrape();
  const attempt = async () => {
    const status = await statusOf(exporter, '/metrics');
    if (status === 200) await scrape();
    return status;
  };
  await expect.poll(attempt).toBe(503);
}

test('scrapers that hang, read nothing or vanish are bounded, and the poller is not delayed', async () => {
  const exporter = await RestartableExporter.create({
    checks: 3_000,
    transactions: 0,
    shortLimit: 400,
    longLimit: 72_000,
    account: { datasets: statesOnly },
  });
  const { journal } = exporter.sandbox;
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await exporter.start();
  await exporter.pass(120);

  for (let scraper = 0; scraper < mostScrapes; scraper++) {
    sockets.push(await connectTo(exporter.url));
  }
  await occupy(exporter, sockets);
  const listed = journal.countOfOperation('list_checks');
  await exporter.pass(100);

  expect(journal.countOfOperation('list_checks')).toBeGreaterThan(listed);
  expect(await statusOf(exporter, '/metrics')).toBe(503);
  for (const path of ['/', '/status.json', '/-/healthy', '/-/ready']) {
    expect([path, await statusOf(exporter, path)]).toEqual([path, 200]);
  }

  // Scrapers that read nothing are disconnected after two minutes.
  await exporter.pass(30);
  await untilServed(exporter);
  await occupy(exporter, sockets);
  for (const socket of sockets) socket.destroy();
  await untilServed(exporter);
  expect(exporter.log.filter((line) => /level=error/.test(line))).toEqual([]);
});

test('a connection with more unanswered requests than any scraper sends is closed', async () => {
  const exporter = await RestartableExporter.create({ checks: 3 });
  await exporter.start();
  const socket = await connectTo(exporter.url);

  socket.write('GET /metrics HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(200));

  // Until the server closes it: a connection with keep-alive stays open.
  const answers = await readToEnd(socket).catch(() => '');
  expect(answers.match(/^HTTP\/1.1 200/gm)?.length ?? 0).toBeLessThanOrEqual(10);
});
