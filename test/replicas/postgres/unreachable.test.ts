import dns from 'node:dns';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { openPostgres } from '../support/open-postgres.ts';

test('a database that refuses the connections at all its addresses is named with what each said', async () => {
  const port = await freePort();
  const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
  const lookup = vi.spyOn(dns, 'lookup').mockImplementation(((...args: readonly unknown[]) => {
    (args.at(-1) as (error: null, found: unknown) => void)(null, addresses);
  }) as typeof dns.lookup);
  onTestFinished(() => lookup.mockRestore());

  await expect(
    openPostgres(`postgres://uptime@db.example:${port}/uptime?sslmode=disable`),
  ).rejects.toThrow(
    `cannot use the database uptime at db.example:${port}: connect ECONNREFUSED 127.0.0.1:${port}, connect ECONNREFUSED 127.0.0.2:${port}`,
  );
});
