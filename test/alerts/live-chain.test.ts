import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/src/running-sandbox.ts';
import { ServedFamilies } from '../../src/exposition/catalogue/served-families.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { defaultParameters } from '../../src/rules/parameters.ts';
import { ruleFile } from '../../src/rules/rule-files.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import { chainAccount, specialChecks } from '../support/chain-account.ts';
import { startPrometheus } from '../support/prometheus.ts';
import {
  createSandboxExporter,
  sandboxAccount,
  sandboxToken,
} from '../support/sandbox-exporter.ts';
import { missing } from '../support/tools.ts';
import { startAlertmanager } from './alertmanager.ts';

/** What the messages are, and when they come, is tested in virtual time: chain.test.ts. */
test.skipIf(missing('prometheus') || missing('alertmanager'))(
  'a message passes from the service through exporter, Prometheus and Alertmanager',
  async () => {
    const sandbox = await startSandbox({
      clock: systemClock,
      limitsClock: systemClock,
      checks: specialChecks + 1,
      shortLimit: 100_000,
      longLimit: 18_000_000,
      token: sandboxToken,
      host: '127.0.0.1',
      port: 0,
    });
    const account = chainAccount('live', sandbox, systemClock);
    for (const { id } of account.checks) {
      sandbox.world.plant({ checkId: id, status: 'down', from: account.now() - 600 });
    }
    const exporter = createSandboxExporter({
      accounts: [sandboxAccount(sandbox, { name: account.name })],
      served: ServedFamilies.lean,
      store: new MemoryStore(),
      clock: systemClock,
      write: () => {},
    });
    const target = new URL(await exporter.start()).host;
    onTestFinished(async () => {
      await exporter.stop();
      await sandbox.close();
    });
    const alertmanager = await startAlertmanager();
    await startPrometheus(target, {
      rules: [ruleFile(defaultParameters)],
      alertmanager: alertmanager.address,
    });

    const message = await alertmanager.notified(({ receiver }) => receiver === 'pager');

    expect(message.alerts.map(({ labels }) => labels.alertname)).toContain('UptimeCheckDown');
  },
);
