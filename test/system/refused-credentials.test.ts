import { request } from 'undici';
import { expect, test } from 'vitest';
import { bearerToken } from '../../src/api/http/authentication.ts';
import { Secret } from '../../src/lib/secret.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';

const minute = 60;

interface Shown {
  readonly up: number;
  /** The label of `uptime_exporter_account_failure`. */
  readonly metric: string | undefined;
  readonly state: string;
  /** The reason of the check list in /status.json. */
  readonly reason: string;
  readonly badge: string | undefined;
  /** The first words of each box about a failure. */
  readonly boxes: readonly string[];
}

async function running(): Promise<RestartableExporter> {
  const exporter = await RestartableExporter.create({ checks: 3, transactions: 0 });
  await exporter.start();
  await exporter.pass(10 * minute);
  return exporter;
}

/** What the metrics, /status.json and the page say at one moment. */
async function shown(exporter: RestartableExporter): Promise<Shown> {
  const [status = '', page = ''] = await Promise.all(
    ['/status.json', '/'].map(async (path) =>
      (await request(`${exporter.url}${path}`)).body.text(),
    ),
  );
  const [account] = JSON.parse(status).accounts;
  const metrics = await exporter.page();
  return {
    up: Number(/^uptime_up\{[^}]*\} (\d)$/m.exec(metrics)?.[1]),
    metric: /^uptime_exporter_account_failure\{[^}]*reason="(\w+)"/m.exec(metrics)?.[1],
    state: account.state,
    reason: account.datasets.checks.failure?.reason ?? 'none',
    badge: /<span class="badge \w+">([^<]*)</.exec(page)?.[1],
    boxes: [...page.matchAll(/<div class="note bad"><p><strong>([^<]*)/g)].map(
      ([, box = '']) => box,
    ),
  };
}

const fine: Shown = {
  up: 1,
  metric: 'none',
  state: 'ok',
  reason: 'none',
  badge: 'API readable',
  boxes: [],
};

const failing = (reason: string): Omit<Shown, 'boxes'> => ({
  up: 0,
  metric: reason,
  state: 'failing',
  reason,
  badge: 'Failing',
});

function linesOf({ log }: RestartableExporter, from: number): string[] {
  return log
    .slice(from)
    .filter((line) => line.includes('dataset=checks') && !line.includes('level=debug'))
    .map((line) => /msg="([^"]*)".* reason=(\w+)/.exec(line)?.slice(1).join(': ') ?? line);
}

const wrongToken = { authentication: bearerToken(new Secret('mistyped-token-123456')) };

test('a token that was never accepted is unauthorized from the first response on, everywhere, with one warning', async () => {
  const exporter = await RestartableExporter.create({ checks: 3, transactions: 1 });
  await exporter.start(wrongToken);
  for (let passed = 0; passed < 20 * minute; passed += 20) {
    await exporter.pass(20);
    const { boxes, ...seen } = await shown(exporter);
    expect(seen).toEqual({
      up: 0,
      metric: 'unauthorized',
      state: 'unauthorized',
      reason: 'unauthorized',
      badge: 'Unauthorised',
    });
    expect(boxes).toEqual([expect.stringMatching(/: unauthorized$/)]);
    expect(await exporter.get('/')).not.toMatch(/counted|counters/);
  }
  const warnings = exporter.log.filter((line) => /level=(warn|error)/.test(line));
  expect(warnings).toEqual([expect.stringMatching(/reason=unauthorized.*Check or renew it/)]);

  await exporter.reload({});
  await exporter.pass(5);
  expect(await shown(exporter)).toEqual(fine);
});

test('a single 401 of a valid token at the start delays the check list by a minute', async () => {
  const exporter = await RestartableExporter.create({ checks: 3, transactions: 0 });
  exporter.sandbox.faults.inject({ kind: 'unauthorized', times: 1 });
  await exporter.start();
  await exporter.pass(minute + 5);

  expect(await shown(exporter)).toEqual(fine);
});

test('a new token is tried at once, although lists are rare', async () => {
  const exporter = await RestartableExporter.create({
    checks: 3,
    transactions: 0,
    shortLimit: 60,
    longLimit: 10_800,
    wire: { stray401: 0, stray403: 0, missingLimits: 0 },
  });
  await exporter.start(wrongToken);
  await exporter.pass(60 * minute);
  expect((await shown(exporter)).metric).toBe('unauthorized');

  await exporter.reload({});
  await exporter.pass(5);
  expect(await shown(exporter)).toMatchObject({ metric: 'none' });

  await exporter.reload(wrongToken);
  await exporter.pass(5);
  expect(await shown(exporter)).toMatchObject({ metric: 'unauthorized', badge: 'Unauthorised' });
});

test('a token that is revoked and renewed is reported alike everywhere, at each moment', async () => {
  const exporter = await running();
  const logged = exporter.log.length;
  const revoked = exporter.sandbox.faults.inject({ kind: 'unauthorized' });

  await exporter.pass(minute);
  const { boxes, ...first } = await shown(exporter);
  expect(first).toEqual(failing('refused'));
  expect(boxes).toEqual([expect.stringMatching(/^checks\b.*: refused$/)]);
  await exporter.pass(minute + 1);
  const unauthorized = await shown(exporter);
  expect(unauthorized).toMatchObject({
    up: 0,
    metric: 'unauthorized',
    reason: 'unauthorized',
    state: 'unauthorized',
    badge: 'Unauthorised',
  });
  expect(unauthorized.boxes).toEqual([expect.stringMatching(/^checks\b.*: unauthorized$/)]);
  await exporter.pass(20 * minute);
  expect(await shown(exporter)).toMatchObject({ metric: 'unauthorized', badge: 'Unauthorised' });

  exporter.sandbox.faults.clear(revoked);
  await exporter.reload({});
  await exporter.pass(5);

  expect(await shown(exporter)).toEqual(fine);
  expect(linesOf(exporter, logged).slice(0, 2)).toEqual([
    'refresh failed; serving the last data: refused',
    'refresh failed; serving the last data: unauthorized',
  ]);
});

test('a check list that alone is refused is failing until it is read, whatever else is read', async () => {
  const exporter = await running();
  const refused = exporter.sandbox.faults.inject({
    kind: 'unauthorized',
    operation: 'list_checks',
  });
  await exporter.pass(minute);

  for (let passed = 0; passed < 30 * minute; passed += 10) {
    const { up, metric, reason, boxes } = await shown(exporter);
    expect({ up, metric }).toEqual({ up: 0, metric: reason });
    expect(['refused', 'unauthorized']).toContain(reason);
    expect(boxes).toContain(`checks: ${reason}`);
    await exporter.pass(10);
  }

  exporter.sandbox.faults.clear(refused);
  await exporter.pass(15 * minute);
  expect(await shown(exporter)).toEqual(fine);
});

test('a success of another dataset ends it for the whole account, without a reload', async () => {
  const exporter = await running();
  const revoked = exporter.sandbox.faults.inject({ kind: 'unauthorized' });
  await exporter.pass(30 * minute);
  exporter.sandbox.faults.clear(revoked);

  await exporter.pass(20 * minute);

  expect(await shown(exporter)).toEqual(fine);
});
