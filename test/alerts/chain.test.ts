import { expect, test } from 'vitest';
import { AlertChain } from '../support/alert-chain.ts';
import { missing } from '../support/tools.ts';
import { leftOut } from './run-chain.ts';

/**
 * A minute of the service takes one second. Every step waits for its messages, so a slow machine
 * does not matter.
 */
const divisor = 60;

/** The long tests verify the table of docs/alerting.md. */
test.skipIf(missing('prometheus') || missing('alertmanager'))(
  'nobody is told that a check is up while nobody looks, and once when it is known',
  async () => {
    const chain = await AlertChain.create(divisor);
    const [revoked, killed] = [await chain.account('revoked'), await chain.account('killed')];
    const reader = await chain.exporter('reader', [revoked]);
    const victim = await chain.exporter('victim', [killed]);
    await reader.start();
    await victim.start();
    await chain.start({ alerts: leftOut });
    await chain.pass(3);
    const wordsAbout = (about: string) =>
      chain.messages.filter(({ account }) => account === about).map(({ words }) => words);

    for (const account of [revoked, killed]) account.down(...account.checks.slice(0, 1));
    await chain.until('revoked', '+CheckDown');
    await chain.until('killed', '+CheckDown');
    revoked.sandbox.faults.inject({ kind: 'unauthorized' });
    await victim.kill();
    await chain.until('revoked', '+ExporterUnauthorized');
    await chain.until('victim', '+ExporterDown');
    revoked.up(...revoked.checks.slice(0, 1));
    await chain.pass(3);
    const cause = 'pager: +ExporterUnauthorized';
    expect(wordsAbout('revoked')).toEqual(['pager: +CheckDown', cause]);

    revoked.sandbox.faults.clear();
    await victim.start();
    await chain.until('revoked', '-CheckDown');
    await chain.until('revoked', '-ExporterUnauthorized');
    await chain.until('victim', '-ExporterDown');
    const resolved = wordsAbout('revoked').filter((words) => words.includes('-CheckDown'));
    expect(resolved).toHaveLength(1);
    // It was down the whole time, and still is.
    expect(wordsAbout('killed')).toEqual(['pager: +CheckDown']);
    expect(wordsAbout('victim')).toEqual(['pager: +ExporterDown', 'pager: -ExporterDown']);
  },
);
