import { describe, expect, test } from 'vitest';
import { createServiceV31 } from '../../src/api/versions.ts';
import { type OperationName, operationNames, operations } from '../../src/domain/dataset.ts';
import { hour, operationCalls } from '../support/operation-calls.ts';
import { sendJson } from '../support/response-server.ts';
import { servedBench } from '../support/transport-bench.ts';
import { exchanges31 } from './exchanges-v31.ts';

const { signal } = new AbortController();

async function stage(body: unknown) {
  const { server, bench } = await servedBench(sendJson(body));
  return { server, bench, service: createServiceV31(bench.transport) };
}

const documented = (Object.keys(exchanges31) as (keyof typeof exchanges31)[]).map((name) => ({
  name,
  ...exchanges31[name],
}));
const lacking = operationNames.filter(
  (name) => !(operations[name].versions as readonly string[]).includes('3.1'),
);

describe('the service in version 3.1', () => {
  test('has an exchange below for every operation it can be asked for', async () => {
    const { service } = await stage({});
    expect(new Set(documented.map(({ name }) => name))).toEqual(service.capabilities);
    expect(service.capabilities.has('list_checks')).toBe(true);
    expect(service.capabilities.has('get_server_time')).toBe(false);
  });

  test.each(documented)('reads $name', async ({ name, target, body, answer }) => {
    const { bench, server, service } = await stage(body);

    const value = await operationCalls[name](service, signal);

    expect(value).toStrictEqual(answer);
    expect(server.requests.map((request) => `${request.method} ${request.target}`)).toEqual([
      `GET /api/3.1/${target}`,
    ]);
    expect(bench.exchanges).toMatchObject([{ operation: name, code: '200' }]);
  });

  test.each(documented.filter(({ body }) => JSON.stringify(body).includes('private')))(
    'keeps nothing personal of $name',
    async ({ name, body }) => {
      const { service } = await stage(body);
      const value = await operationCalls[name](service, signal);
      expect(JSON.stringify(value)).not.toContain('private');
    },
  );

  test.each(lacking)('refuses %s without a request', async (name: OperationName) => {
    const { bench, server, service } = await stage({});

    await expect(operationCalls[name](service, signal)).rejects.toMatchObject({
      name: 'ApiError',
      reason: 'unsupported',
      operation: name,
    });

    expect(server.requests).toEqual([]);
    expect(bench.releases).toEqual([]);
  });

  test('asks for averages by country with one flag', async () => {
    const { server, service } = await stage({ summary: { responsetime: { avgresponse: [] } } });

    await service.average({ checkId: 12, ...hour, by: 'country' }, signal);

    expect(server.requests[0]?.target).toBe(
      '/api/3.1/summary.average/12?from=1619073281&to=1619076881&includeuptime=true&bycountry=true',
    );
  });

  test.each([
    ['day', 'days'],
    ['week', 'weeks'],
  ] as const)('reads performance by the %s', async (resolution, field) => {
    const { server, service } = await stage({
      summary: { [field]: [{ starttime: 1_619_073_281, avgresponse: 100 }] },
    });

    const { items } = await service.performance({ checkId: 12, ...hour, resolution }, signal);

    expect(items).toEqual([
      { startAtSeconds: 1_619_073_281, complete: false, averageResponseTimeSeconds: 0.1 },
    ]);
    expect(server.requests[0]?.target).toContain(`resolution=${resolution}`);
  });
});
