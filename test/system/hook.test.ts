import { request } from 'undici';
import { expect, test } from 'vitest';
import { Webhook } from '../../sandbox/src/webhook.ts';
import { Secret } from '../../src/lib/secret.ts';
import { extent } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';

const minute = 60;
const hour = 60 * minute;
const secret = 'a-webhook-secret-of-some-length';

async function running(
  account: { readonly floorSeconds?: number } = {},
  limits = { shortLimit: 400, longLimit: 72_000 },
): Promise<RestartableExporter> {
  const exporter = await RestartableExporter.create({
    checks: 6,
    transactions: 0,
    ...limits,
    // Times are compared with that of the confirmation.
    wire: { listLagSeconds: { min: 0, max: 0 }, lateStatusSeconds: 0 },
  });
  const { floorSeconds = 600 } = account;
  await exporter.start({
    hookSecret: new Secret(secret),
    datasets: { checks: { floorSeconds } },
  });
  await exporter.pass(20 * minute);
  return exporter;
}

async function post(
  exporter: RestartableExporter,
  path: string,
  method: 'POST' | 'GET' | 'PUT' = 'POST',
) {
  const { statusCode, headers, body } = await request(`${exporter.url}${path}`, {
    method,
    ...(method !== 'GET' && { body: '{"current_state": "DOWN", "check_id": "nonsense' }),
  });
  return { statusCode, type: headers['content-type'], text: await body.text() };
}

test('an outage is on the page within seconds of its confirmation, at a list interval of ten minutes', async () => {
  const exporter = await running();
  const { world } = exporter.sandbox;
  const webhook = new Webhook({
    url: `${exporter.url}/hooks/${secret}`,
    world,
    clock: exporter.clock,
  });
  const check =
    world.checks.find(({ resolutionMinutes }) => resolutionMinutes === 1) ?? world.checks[0];
  if (check === undefined) throw new Error('there is no check');
  const isDown = () => world.observer.observe(check, exporter.now).status === 'down';
  const shown = async () =>
    [...(await exporter.scrape())].some(
      ([name, value]) =>
        name.startsWith('uptime_check_status{') &&
        name.includes(`"${check.id}"`) &&
        name.includes('status="down"') &&
        value === 1,
    );
  await webhook.callForChanges();
  const outages = extent(2, 4);
  for (let outage = 0; outage < outages; outage++) {
    const from = exporter.now + 30;
    world.plant({ checkId: check.id, status: 'down', from, to: from + 20 * minute });
    let confirmedAt: number | undefined;
    let shownAt: number | undefined;
    for (let seconds = 0; shownAt === undefined && seconds < 15 * minute; seconds++) {
      await exporter.pass(1);
      await webhook.callForChanges();
      if (confirmedAt === undefined && isDown()) confirmedAt = exporter.now;
      if (confirmedAt !== undefined && (await shown())) shownAt = exporter.now;
    }
    expect((shownAt ?? Number.NaN) - (confirmedAt ?? Number.NaN)).toBeLessThanOrEqual(11);
    for (let minutes = 0; minutes < 40; minutes++) {
      await exporter.pass(minute);
      await webhook.callForChanges();
    }
  }
  expect(webhook.delivered).toBeGreaterThanOrEqual(2 * outages);
});

test('a hammered hook costs no more than its share, and nothing of the reserve', async () => {
  const exporter = await running();
  const { journal, limits } = exporter.sandbox;
  const [lists, all] = [journal.countOfOperation('list_checks'), journal.total];

  const hours = extent(1, 4);
  for (let seconds = 0; seconds < hours * hour; seconds += 4) {
    for (let times = 0; times < 3; times++) await post(exporter, `/hooks/${secret}`);
    await exporter.pass(4);
    expect(limits.reading('short').remaining).toBeGreaterThanOrEqual(80);
  }

  // 80 requests an hour are sustained; a tenth more, a burst, and those planned every ten minutes.
  expect(journal.countOfOperation('list_checks') - lists).toBeLessThanOrEqual(
    hours * 8 * 1.5 + 6 + hours * 6,
  );
  expect(journal.countOfOperation('list_checks') - lists).toBeGreaterThan(hours * 6);
  expect(journal.total - all).toBeLessThan(hours * 100);
  expect(journal.countOfStatus(429)).toBe(0);
});

test('two calls within ten seconds are two lists, ten seconds apart', async () => {
  const exporter = await running();
  const { journal } = exporter.sandbox;
  const before = journal.countOfOperation('list_checks');

  await post(exporter, `/hooks/${secret}`);
  await exporter.pass(2);
  expect(journal.countOfOperation('list_checks')).toBe(before + 1);
  for (let times = 0; times < 5; times++) await post(exporter, `/hooks/${secret}`);
  await exporter.pass(6);
  expect(journal.countOfOperation('list_checks')).toBe(before + 1);
  await exporter.pass(4);
  expect(journal.countOfOperation('list_checks')).toBe(before + 2);
});

test('GET with a message asks for the list like POST, for older integrations', async () => {
  const exporter = await running();
  const { journal } = exporter.sandbox;
  const before = journal.countOfOperation('list_checks');

  const called = await post(exporter, `/hooks/${secret}?message=%7B%22check%22%3A1%7D`, 'GET');

  expect(called).toEqual({ ...(await post(exporter, `/hooks/${secret}`)), statusCode: 202 });
  await exporter.pass(2);
  expect(journal.countOfOperation('list_checks')).toBe(before + 1);
});

test('another secret is an unknown path, whatever the method, and no secret is ever logged', async () => {
  const exporter = await running();
  const before = exporter.sandbox.journal.countOfOperation('list_checks');
  const unknown = await post(exporter, '/nowhere');
  expect(unknown.statusCode).toBe(404);

  const wrong = ['', 'x', secret.slice(1), `${secret}x`, secret.toUpperCase(), '%ZZ', `${secret}/`];
  for (const given of wrong) expect(await post(exporter, `/hooks/${given}`)).toEqual(unknown);
  expect(await post(exporter, '/hooks/x', 'GET')).toEqual(await post(exporter, '/nowhere', 'GET'));
  expect(await post(exporter, `/hooks/${secret}`, 'PUT')).toEqual(unknown);
  await exporter.pass(30);
  expect(exporter.sandbox.journal.countOfOperation('list_checks')).toBe(before);

  expect((await post(exporter, `/hooks/${secret}`)).statusCode).toBe(202);
  await exporter.pass(30);
  expect(exporter.sandbox.journal.countOfOperation('list_checks')).toBe(before + 1);
  expect(exporter.log.join('')).not.toContain(secret.slice(2, -2));
});
