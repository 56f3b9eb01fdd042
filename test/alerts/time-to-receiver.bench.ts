import { test } from 'vitest';
import { Secret } from '../../src/lib/secret.ts';
import { Webhook } from '../../src/sandbox/webhook.ts';
import { AlertChain, type ChainExporter } from '../support/alert-chain.ts';
import type { ChainAccount } from '../support/chain-account.ts';
import { leftOut } from './run-chain.ts';

const divisor = 20;
/** The sandbox plants other events on 24 of the checks. */
const sizes = [44, 200, 2000];
/** The settings that docs/operating.md recommends for fast alerts. */
const pace = { scrape: '10s', evaluation: '10s', groupWait: '5s' };
const outages = Number(process.env.BENCH_OUTAGES ?? 40);
/**
 * In steps of ten seconds. Neither divides a minute, so that outages meet every phase of a list
 * interval.
 */
const [downSteps, everySteps] = [37, 61];
const hookSecret = new Secret('the-secret-of-the-webhook');

/** One account, read by polling alone or also after calls of the service's webhook. */
interface Measured {
  readonly name: string;
  readonly account: ChainAccount;
  readonly hook: Webhook | undefined;
  /**
   * The milliseconds at which the service had confirmed an outage, keyed by the id of the check.
   */
  readonly confirmed: Map<string, number>;
}

/** Prints the time from the service's confirmation of an outage to the receiver's message. */
test('time from the confirmation of an outage to the receiver', async () => {
  const chain = await AlertChain.create(divisor);
  const all: Measured[] = [];
  for (const size of sizes) {
    for (const way of ['polling', 'hook'] as const) {
      all.push(await measured(chain, size, way));
    }
  }
  await chain.start({ alerts: leftOut }, pace);
  for (let step = 0; step < outages * everySteps + 30; step++) {
    for (const one of all) begin(one, step);
    await Promise.all(all.map(({ hook }) => hook?.callForChanges()));
    await chain.step();
    for (const one of all) confirm(one, chain.clock.now());
  }
  process.stdout.write('| Checks | Way | Outages | Least | Median | 99 % | Longest |\n');
  for (const one of all) process.stdout.write(row(one, chain));
});

async function measured(chain: AlertChain, size: number, way: 'polling' | 'hook') {
  const name = `${size}, ${way}`;
  const limits = { shortLimit: 400, longLimit: 72_000 };
  const account = await chain.account(name, { checks: size, transactions: 0, ...limits });
  const exporter: ChainExporter = await chain.exporter(name, [account], { hookSecret });
  await exporter.start();
  const { world } = account.sandbox;
  const url = `${exporter.url}/hooks/${hookSecret.reveal()}`;
  const hook = way === 'hook' ? new Webhook({ url, world, clock: chain.clock }) : undefined;
  return { name, account, hook, confirmed: new Map() } satisfies Measured;
}

/** The checks go down one after the other. Each is up again before the next one goes down. */
function begin({ account }: Measured, step: number): void {
  const [outage, within] = [Math.floor(step / everySteps), step % everySteps];
  const check = account.checks[outage % account.checks.length];
  if (check === undefined || outage >= outages) return;
  if (within === everySteps - downSteps) account.down(check);
  if (within === everySteps - 1) account.up(check);
}

function confirm({ account, confirmed }: Measured, now: number): void {
  for (const check of account.checks.slice(0, outages)) {
    if (confirmed.has(`${check.id}`)) continue;
    const { status } = account.sandbox.world.observer.observe(check, Math.floor(now / 1000));
    if (status === 'down') confirmed.set(`${check.id}`, now);
  }
}

function row({ name, confirmed }: Measured, chain: AlertChain): string {
  const seconds = [...confirmed]
    .flatMap(([id, at]) => {
      const told = chain.messages.find((one) => one.account === name && one.firing.includes(id));
      return told === undefined ? [] : [(told.at - at) / 1000];
    })
    .sort((a, b) => a - b);
  const at = (share: number) => seconds[Math.ceil(share * seconds.length) - 1] ?? Number.NaN;
  const figures = [at(0.001), at(0.5), at(0.99), at(1)].map((one) => `${one.toFixed(0)} s`);
  return `| ${name.replace(', ', ' | ')} | ${seconds.length} of ${confirmed.size} | ${figures.join(' | ')} |\n`;
}
