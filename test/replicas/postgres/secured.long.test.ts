import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../store/support/temporary-folder.ts';
import { Authority } from '../../support/certificates.ts';
import { missing } from '../../support/tools.ts';
import { openPostgres } from '../support/open-postgres.ts';
import { PostgresCluster } from '../support/postgres-cluster.ts';

/**
 * A server with a certificate for these hosts, and a function that opens a store under one of its
 * names.
 */
async function secured(hosts: string) {
  const folder = await temporaryFolder();
  const authority = new Authority(folder);
  const cluster = await PostgresCluster.start({
    certificate: authority.issue('server', 1, hosts),
  });
  onTestFinished(() => cluster.stop());
  const { port, pathname } = new URL(await cluster.createDatabase());
  await cluster.query('postgres', "ALTER ROLE uptime PASSWORD 'right-password'");
  return (host: string) =>
    openPostgres(`postgres://uptime@${host}:${port}${pathname}?sslmode=verify-full`, {
      password: () => 'right-password',
      ca: () => authority.certificate,
    });
}

test.skipIf(missing('initdb') || missing('openssl')).each([
  ['localhost', 'DNS:localhost', '127.0.0.1'],
  ['127.0.0.1', 'IP:127.0.0.1', 'localhost'],
])(
  'a server whose certificate is for %s alone is used as that and refused as anything else',
  async (name, hosts, other) => {
    const open = await secured(hosts);

    await expect(open(other)).rejects.toThrow('does not match certificate');
    await (await open(name)).store.close();
  },
);

test.skipIf(missing('initdb') || missing('openssl'))(
  'a server is used if its certificate is of the authority that is named and the password is right',
  async () => {
    const folder = await temporaryFolder();
    const authority = new Authority(folder);
    const cluster = await PostgresCluster.start({ certificate: authority.issue('server') });
    onTestFinished(() => cluster.stop());
    const url = `${await cluster.createDatabase()}?sslmode=verify-full`;
    await cluster.query('postgres', "ALTER ROLE uptime PASSWORD 'right-password'");
    const open = (password: string, ca: string) =>
      openPostgres(url, { password: () => password, ca: () => ca });

    const other = new Authority(folder, 'other').certificate;
    await expect(open('right-password', other)).rejects.toThrow(/self-signed|issuer|certificate/);
    const wrong = open('wrong-password', authority.certificate);
    await expect(wrong).rejects.toThrow('password authentication failed');
    await expect(wrong).rejects.not.toThrow('wrong-password');
    const { store } = await open('right-password', authority.certificate);
    await store.close();
  },
);
