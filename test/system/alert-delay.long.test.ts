import { request } from 'undici';
import { afterAll, expect, test } from 'vitest';
import { hashUnit } from '../../src/lib/random.ts';
import { Secret } from '../../src/lib/secret.ts';
import { Webhook } from '../../src/sandbox/webhook.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';

const minute = 60;
const secret = 'a-webhook-secret-of-some-length';
const outages = 40;
/** As docs/alerting.md recommends it for those who want to know soon; seconds. */
const [scrapeInterval, evaluationInterval, groupWait] = [10, 10, 5];

/** Every check is tested each minute, and is up but for what a test does to it. */
async function start(checks: number, hook: boolean): Promise<RestartableExporter> {
  const limits = { shortLimit: 400, longLimit: 72_000 };
  const exporter = await RestartableExporter.create({ checks, transactions: 0, ...limits });
  const { world } = exporter.sandbox;
  for (const check of world.checks) {
    const run = {
      from: check.created,
      resolutionSeconds: minute,
      phaseSeconds: check.id % minute,
    };
    world.registry.put({ ...check, resolutionMinutes: 1, runs: [run] });
    world.plant({ checkId: check.id, status: 'up', from: exporter.now - 40 * 86_400 });
  }
  await exporter.start({
    ...(hook && { hookSecret: new Secret(secret) }),
    // Only the list is of interest here.
    datasets: { results: { enabled: false }, performance: { enabled: false } },
  });
  await exporter.pass(20 * minute);
  return exporter;
}

/**
 * Seconds from the confirmation of outages, at random moments, to the message: the service, the exporter and the
 * scrapes happen in virtual time; the evaluation falls anywhere in its interval; delivery takes nothing.
 */
async function delays(exporter: RestartableExporter, hook: boolean): Promise<number[]> {
  const { world } = exporter.sandbox;
  const webhook = new Webhook({
    url: `${exporter.url}/hooks/${secret}`,
    world,
    clock: exporter.clock,
  });
  await webhook.look();
  const found: number[] = [];
  for (let outage = 0; outage < outages; outage++) {
    const chance = (draw: number) => hashUnit(outage, 5, draw);
    await exporter.pass(4 * minute + chance(1) * 10 * minute);
    const check = world.checks[Math.floor(chance(2) * world.checks.length)];
    if (check === undefined) throw new Error('there is no check');
    const from = exporter.now + 1;
    world.plant({ checkId: check.id, status: 'down', from, to: from + 9 * minute });
    const isDown = () => world.observer.observe(check, exporter.now).status === 'down';
    while (!isDown()) await exporter.pass(1);
    const confirmed = exporter.now;
    if (hook) await webhook.look();
    await exporter.pass(chance(3) * scrapeInterval);
    while (!(await isTold(exporter, check.id))) await exporter.pass(scrapeInterval);
    found.push(exporter.now - confirmed + chance(4) * evaluationInterval + groupWait);
    world.plant({ checkId: check.id, status: 'up', from: exporter.now });
  }
  return found.sort((a, b) => a - b);
}

async function isTold({ url }: RestartableExporter, id: number): Promise<boolean> {
  const { body } = await request(`${url}/metrics`);
  const page = await body.text();
  return new RegExp(`^uptime_check_outage_open\\{[^}]*check_id="${id}"[^}]*\\} 1$`, 'm').test(page);
}

const rows: string[] = [];
afterAll(() => {
  process.stdout.write(`${rows.join('\n')}\n`);
});

test.each([
  [20, false, 120, 240],
  [200, false, 120, 240],
  [2000, false, 120, 240],
  [20, true, 30, 240],
  [200, true, 30, 240],
  [2000, true, 30, 240],
])(
  'with %i checks (hook: %s) half of the messages come within %i s of the confirmation, and 99 %% within %i s',
  async (checks, hook, median, slowest) => {
    const all = await delays(await start(checks, hook), hook);
    const at = (share: number) => all[Math.ceil(share * all.length) - 1] ?? Number.NaN;
    const way = hook ? 'hook' : 'polling';
    rows.push(
      `${checks} checks, ${way}: median ${at(0.5).toFixed(0)} s, 99 % ${at(0.99).toFixed(0)} s`,
    );
    expect(at(0.5)).toBeLessThanOrEqual(median);
    expect(at(0.99)).toBeLessThanOrEqual(slowest);
  },
);
