import { expect, test } from 'vitest';
import { databaseOptions } from '../../src/app/open-storage.ts';
import { defaultServing } from '../../src/config/serving.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { configurationWith } from '../config/configured-keys.ts';
import { effects } from '../config/effects.ts';

/** What a database is opened with under these keys; a file is read as its name. */
function openedWith(keys: Readonly<Record<string, unknown>>) {
  const serving = { ...defaultServing, ...configurationWith(keys).serving };
  const { url, leaseTtlSeconds, synchronousStandby, externalUrl, ...files } = databaseOptions(
    serving.storageUrl ?? '',
    serving,
    { clock: systemClock, readText: (path) => `${path}\n` },
  );
  const read = { password: files.password?.(), ca: files.ca?.() };
  return { url, leaseTtlSeconds, synchronousStandby, externalUrl, ...read };
}

test.each([
  ['storage.url', 'url', 'postgres://uptime@db/uptime'],
  ['storage.password_file', 'password', '/etc/uptime/password'],
  ['storage.ca_file', 'ca', '/etc/uptime/ca.pem'],
  ['storage.lease_ttl', 'leaseTtlSeconds', 60],
  ['storage.synchronous_standby', 'synchronousStandby', true],
  ['web.external_url', 'externalUrl', 'https://example.com/uptime/'],
])('%s reaches the database, and nothing else does', (key, option, value) => {
  const row = effects.find((one) => one.key === key);
  const beside = key === 'storage.url' ? {} : { 'storage.url': 'postgres://uptime@other/uptime' };
  const before = openedWith(beside);
  expect(openedWith({ ...beside, [key]: row?.value })).toEqual({ ...before, [option]: value });
});
