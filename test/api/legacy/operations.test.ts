import { describe, expect, test } from 'vitest';
import { operationNames, operations } from '../../../src/domain/dataset.ts';
import { LegacyBench } from '../../support/legacy-bench.ts';
import { sendJson } from '../../support/response-server.ts';
import { cases } from './cases.ts';

const { signal } = new AbortController();
describe.each(['2.1', '2.0'] as const)('version %s', (version) => {
  describe.each(cases[version].map((row) => [row.operation, row] as const))('%s', (_name, row) => {
    test('asks one question with parameters that the version knows', async () => {
      const bench = await LegacyBench.start(version, sendJson(row.reply));

      await row.call(bench.service, signal);

      expect(bench.requests).toMatchObject([
        { path: `/api/${version}${row.path}`, request: { method: 'GET' } },
      ]);
      expect(bench.requests[0]?.query).toEqual(row.query);
      expect(bench.exchanges).toEqual([`${row.operation} 200`]);
    });

    test('sends the credentials of the account', async () => {
      const bench = await LegacyBench.start(version, sendJson(row.reply));

      await row.call(bench.service, signal);

      const sent = bench.requests[0]?.request.headers;
      // The pair was encoded with base64 of GNU coreutils.
      expect(sent?.get('authorization')).toBe('Basic bWVAZXhhbXBsZS5jb206cGFzcyB3b3Jk');
      expect(sent?.get('app-key')).toBe('zoent8w9cbt810rsdkweir23vcxb87zrt5541');
      expect(sent?.get('account-email')).toBe('acme@example.com');
    });

    test('reads the response', async () => {
      const bench = await LegacyBench.start(version, sendJson(row.reply));

      expect(await row.call(bench.service, signal)).toStrictEqual(row.answer);
    });

    test.each([[null], [[]], ['x'], [7], [{ error: 'no' }]])(
      'refuses a response of another shape: %j',
      async (reply) => {
        const bench = await LegacyBench.start(version, sendJson(reply));
        const call = row.call(bench.service, signal);

        await expect(call).rejects.toMatchObject({ reason: 'shape' });
      },
    );
  });

  test('has the documented operations as capabilities', async () => {
    const { service } = await LegacyBench.start(version, sendJson({}));

    const documented = cases[version].map(({ operation }) => operation);

    expect(service.version).toBe(version);
    expect([...service.capabilities].sort()).toEqual([...documented].sort());
  });

  test('refuses what it lacks without a request', async () => {
    const bench = await LegacyBench.start(version, sendJson({}));
    const lacking = operationNames.filter((name) => !bench.service.capabilities.has(name));

    expect(lacking).toContain('list_transactions');
    for (const name of lacking) {
      const method = bench.service[operations[name].method] as () => Promise<unknown>;
      await expect(method()).rejects.toMatchObject({ reason: 'unsupported', operation: name });
    }
    expect(bench.requests).toEqual([]);
  });
});
