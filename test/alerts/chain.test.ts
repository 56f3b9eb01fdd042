import { expect, test } from 'vitest';
import { AlertChain } from '../support/alert-chain.ts';
import { missing } from '../support/tools.ts';
import { leftOut } from './run-chain.ts';

/** A minute of the service is a second; every step waits for what arrives, however slow the machine is. */
const divisor = 60;

/** The table of docs/alerting.md is proven in the long tests. */
test.skipIf(missing('prometheus') || missing('alertmanager'))(
  'nobody is told that a check is up while nobody looks, and once when it is known',
  async () => {
    const chain = await AlertChain.create(divisor);
    const account = await chain.account('shop');
    const exporter = await chain.exporter('exporter', [account]);
    await exporter.start();
    await chain.start({ alerts: leftOut });
    await chain.pass(3);
    const some = account.checks.slice(0, 1);

    account.down(...some);
    await chain.until('+CheckDown');
    account.sandbox.faults.inject({ kind: 'unauthorized' });
    await chain.until('+ExporterUnauthorized');
    account.up(...some);
    await chain.pass(5);
    account.sandbox.faults.clear();
    await chain.until('-CheckDown');
    await chain.until('-ExporterUnauthorized');
    const down = chain.messages.filter(({ words }) => words.includes('CheckDown'));
    expect(down.map(({ words }) => words)).toEqual(['pager: +CheckDown', 'pager: -CheckDown']);

    account.down(...some);
    await chain.until('+CheckDown', { more: true });
    await exporter.kill();
    await chain.until('+ExporterDown');
    await exporter.start();
    await chain.until('-ExporterDown');
    expect(chain.messages.at(-1)?.words).toBe('pager: -ExporterDown');
    const resolved = chain.messages.filter(({ words }) => words.includes('-CheckDown'));
    expect(resolved).toHaveLength(1);
  },
);
