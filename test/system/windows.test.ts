import { expect, test } from 'vitest';
import { accountCredentials } from '../../src/api/http/authentication.ts';
import type { AccountSettings } from '../../src/config/account.ts';
import type { ApiVersion } from '../../src/domain/version.ts';
import { hashUnit } from '../../src/lib/random.ts';
import { Secret } from '../../src/lib/secret.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { windowVerdict } from '../support/window-truth.ts';

const minute = 60;
const hour = 60 * minute;

const legacy = accountCredentials({
  email: 'demo@example.com',
  password: new Secret('demo'),
  appKey: new Secret('demo-app-key'),
});
const accounts: { readonly [V in ApiVersion]: Partial<AccountSettings> } = {
  '3.1': {},
  '2.1': { version: '2.1', authentication: legacy },
  '2.0': { version: '2.0', authentication: legacy },
};

test.each(['3.1', '2.1', '2.0'] as const)(
  'with API %s the ratios on the page are those of every second',
  async (version) => {
    const exporter = await RestartableExporter.create({
      seed: 11,
      checks: 12,
      transactions: version === '3.1' ? 4 : 0,
    });
    await exporter.start(accounts[version]);
    let compared = 0;
    for (let draw = 0; draw < 5; draw++) {
      await exporter.pass(minute + hashUnit(draw, 3) * 3 * hour);
      if (draw % 3 === 2) {
        if (draw % 2 === 0) await exporter.stop();
        else await exporter.crash();
        await exporter.pass(hashUnit(draw, 4) * 4 * hour);
        await exporter.start(accounts[version]);
        await exporter.pass(10 * minute);
      }
      const verdict = await windowVerdict(exporter, await exporter.scrape());
      expect(verdict.wrong).toEqual([]);
      compared += verdict.compared;
    }
    expect(compared).toBeGreaterThan(50);
  },
);
