import { request } from 'undici';
import { expect, test } from 'vitest';
import { accountsByVersion } from '../support/accounts-by-version.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';

const minute = 60;

test('an open outage is on the pages from its first list on, although no report of it can be read', async () => {
  const account = { datasets: { checks: { floorSeconds: 10 * minute } } };
  const exporter = await RestartableExporter.create({ checks: 2, transactions: 0, account });
  const { sandbox } = exporter;
  for (const { id: checkId } of sandbox.world.checks) {
    sandbox.world.plant({ checkId, status: 'up', from: exporter.now - 50 * 86_400 });
  }
  await exporter.start();
  await exporter.pass(25 * minute);
  sandbox.faults.inject({ kind: 'status-503', operation: 'list_outages' });
  const [check] = sandbox.world.checks;
  if (check === undefined) throw new Error('the sandbox has no check');
  const checkId = check.id;
  const from = exporter.now + 3 * minute;
  sandbox.world.plant({ checkId, status: 'down', from, to: from + 86_400 });
  await exporter.pass(40 * minute);

  const textAt = async (path: string) => (await request(`${exporter.url}${path}`)).body.text();
  const wordsAt = async (path: string) => {
    const text = await textAt(path);
    return text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  };
  const truth = sandbox.history
    .segments(check, from - 600, exporter.now, exporter.now)
    .find(({ status }) => status === 'down');
  const began = new Date((truth?.from ?? 0) * 1000).toISOString().replace('T', ' ').slice(0, 19);
  expect(await wordsAt(`/accounts/shop/checks/${checkId}`)).toMatch(
    new RegExp(`Began Ended Lasted Why ${began} UTC \\d+ min(?: \\d+ s)? going on`),
  );
  expect(await wordsAt('/')).toMatch(/Last outages Check Began Lasted Why .* going on/);

  const samples = await exporter.scrape();
  const sampleOf = (name: string) =>
    [...samples].find(([key]) => key.startsWith(name) && key.includes(`"${checkId}"`))?.[1];
  expect(sampleOf('uptime_check_outage_open{')).toBe(1);
  const annotations = JSON.parse(await textAt(`/outages.json?from=${exporter.now - 60}`));
  const [open] = annotations.filter(({ kind }: { kind: string }) => kind === 'outage');
  const time = (truth?.from ?? 0) * 1000;
  expect(open).toMatchObject({ checkId, time, beginning: 'exact', ongoing: true });
  expect(open.timeEnd).toBeGreaterThan(time);
  expect(open.timeEnd).toBeLessThanOrEqual(exporter.now * 1000);

  // The availability lacks the outage, as the error ratio does.
  expect(sampleOf('uptime_check_error_ratio{')).toBe(0);
  const [, end = ''] =
    /Up, 24h 100 % .* Availability and error budget end at (\S+ \S+) UTC ?: the last outage is not counted yet/.exec(
      await wordsAt(`/accounts/shop/checks/${checkId}`),
    ) ?? [];
  expect(Date.parse(`${end}Z`) / 1000).toBeLessThanOrEqual(truth?.from ?? 0);
  expect(await wordsAt('/')).toContain(`100 % until ${end.slice(0, 16)} UTC`);
  expect(await textAt(`/badge/${checkId}.svg`)).toContain('aria-label="uptime 30d: down"');
});

test('an outage that the list proves is in the availability from its first list on', async () => {
  const exporter = await RestartableExporter.create({ checks: 2, transactions: 0 });
  const { sandbox } = exporter;
  const [check] = sandbox.world.checks;
  if (check === undefined) throw new Error('the sandbox has no check');
  const { id: checkId, created } = check;
  const run = { from: created, resolutionSeconds: 900, phaseSeconds: 13 };
  sandbox.world.registry.put({ ...check, resolutionMinutes: 15, runs: [run] });
  sandbox.world.plant({ checkId, status: 'up', from: exporter.now - 50 * 86_400 });
  await exporter.start();
  await exporter.pass(60 * minute);
  sandbox.world.plant({ checkId, status: 'down', from: exporter.now });
  const open = async () =>
    [...(await exporter.scrape())].some(
      ([key, value]) =>
        key.startsWith(`uptime_check_outage_open{account="shop",check_id="${checkId}"`) &&
        value === 1,
    );
  while (!(await open())) await exporter.pass(10);
  await exporter.pass(3 * minute);

  const labels = `{account="shop",check_id="${checkId}",window="1d"}`;
  const ratio = (await exporter.scrape()).get(`uptime_check_error_ratio${labels}`) ?? 0;
  expect(ratio).toBeGreaterThan(0);
  const page = await (await request(`${exporter.url}/accounts/shop/checks/${checkId}`)).body.text();
  expect(page).not.toContain('not counted yet');
  expect(page).not.toContain('<dd>100 %</dd>');
});

test('an outage after one whose end cannot be read is listed beside it', async () => {
  const account = { datasets: { checks: { floorSeconds: 10 * minute } } };
  const exporter = await RestartableExporter.create({ checks: 2, transactions: 0, account });
  const { sandbox } = exporter;
  for (const { id: checkId } of sandbox.world.checks) {
    sandbox.world.plant({ checkId, status: 'up', from: exporter.now - 50 * 86_400 });
  }
  const [check] = sandbox.world.checks;
  if (check === undefined) throw new Error('the sandbox has no check');
  const checkId = check.id;
  const from = exporter.now + 5 * minute;
  sandbox.world.plant({ checkId, status: 'down', from, to: from + 86_400 });
  await exporter.start();
  await exporter.pass(40 * minute);
  sandbox.faults.inject({ kind: 'status-503', operation: 'list_outages' });
  const recovers = exporter.now + minute;
  sandbox.world.plant({ checkId, status: 'up', from: recovers, to: recovers + 4 * minute });
  await exporter.pass(20 * minute);

  const { body } = await request(`${exporter.url}/outages.json`);
  const annotations = (await body.json()) as { checkId?: number; time: number }[];
  const truth = sandbox.history
    .segments(check, from - 600, exporter.now, exporter.now)
    .filter(({ status }) => status === 'down');
  expect(truth).toHaveLength(2);
  expect(annotations.filter((one) => one.checkId === checkId)).toMatchObject([
    { time: (truth[0]?.from ?? 0) * 1000, ending: 'after' },
    { time: (truth[1]?.from ?? 0) * 1000, ongoing: true },
  ]);
});

test('the outage of a check that is paused, and then unknown, is over on every page, although its end is not read', async () => {
  // The lists of 2.1 have no end of an outage.
  const account = accountsByVersion['2.1'];
  const exporter = await RestartableExporter.create({ checks: 2, transactions: 0, account });
  const { sandbox } = exporter;
  for (const { id: checkId } of sandbox.world.checks) {
    sandbox.world.plant({ checkId, status: 'up', from: exporter.now - 50 * 86_400 });
  }
  await exporter.start();
  await exporter.pass(10 * minute);
  const checkId = sandbox.world.checks[0]?.id ?? 0;
  sandbox.world.plant({ checkId, status: 'down', from: exporter.now });
  await exporter.pass(10 * minute);
  const modify = (change: object) => exporter.change('PUT', `/checks/${checkId}`, change);
  const textAt = async (path: string) => (await request(`${exporter.url}${path}`)).body.text();
  const expectOver = async () => {
    const [, open] =
      [...(await exporter.scrape())].find(([key]) =>
        key.startsWith(`uptime_check_outage_open{account="shop",check_id="${checkId}"`),
      ) ?? [];
    expect(open).toBe(0);
    const annotations = JSON.parse(await textAt('/outages.json'));
    const [outage] = annotations.filter((one: { checkId?: number }) => one.checkId === checkId);
    expect(outage).toMatchObject({ ending: 'after' });
    expect(outage).not.toHaveProperty('ongoing');
    for (const path of ['/', `/accounts/shop/checks/${checkId}`]) {
      const text = await textAt(path);
      expect(text).toContain('end not read yet');
      expect(text).not.toContain('going on');
    }
  };

  await modify({ paused: true });
  await exporter.pass(5 * minute);
  await expectOver();
  sandbox.faults.inject({ kind: 'status-503', operation: 'list_outages' });
  sandbox.world.plant({ checkId, status: 'unknown', from: exporter.now });
  await modify({ paused: false });
  await exporter.pass(5 * minute);
  const unknown = `uptime_check_status{account="shop",check_id="${checkId}",status="unknown"}`;
  expect((await exporter.scrape()).get(unknown)).toBe(1);
  await expectOver();
});
