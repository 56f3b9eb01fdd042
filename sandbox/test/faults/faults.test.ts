import { expect, test } from 'vitest';
import { type FaultName, Faults, faultKinds } from '../../src/faults/faults.ts';
import { rawGet } from '../raw-exchange.ts';
import { bearer, startTestSandbox } from '../start-test-sandbox.ts';
import { checksPath, creditsPath } from '../suffering.ts';

test('every other fault costs the account a request', async () => {
  const kinds = Object.keys(faultKinds).filter((kind) => !kind.startsWith('limit-exceeded'));
  const { sandbox } = await startTestSandbox();
  const quick = kinds.filter((kind) => !['hang', 'drip', 'gzip-bomb'].includes(kind));

  for (const kind of quick as FaultName[]) {
    sandbox.faults.inject({ kind, times: 1 });
    await rawGet(sandbox.url, checksPath, bearer);
  }

  expect(sandbox.faults.active).toEqual([]);
  expect(sandbox.limits.reading('short').remaining).toBe(400 - quick.length);
});

test('a fault can be limited to a number of requests', async () => {
  const { sandbox, get } = await startTestSandbox();
  sandbox.faults.inject({ kind: 'status-503', times: 2 });

  const statuses: number[] = [];
  for (let turn = 0; turn < 3; turn++) statuses.push((await get(checksPath)).status);

  expect(statuses).toEqual([503, 503, 200]);
});

test('a fault can be limited to an operation or a path', async () => {
  const { sandbox, get } = await startTestSandbox();
  sandbox.faults.inject({ kind: 'status-503', operation: 'get_credits' });
  sandbox.faults.inject({ kind: 'status-502', path: '/api/3.1/che' });

  expect((await get(creditsPath)).status).toBe(503);
  expect((await get(checksPath)).status).toBe(502);
  expect((await get('/api/3.1/nothing')).status).toBe(404);
});

test('of several faults the first that fits is used, and each can be cleared', async () => {
  const { sandbox, get } = await startTestSandbox();
  const first = sandbox.faults.inject({ kind: 'status-500' });
  sandbox.faults.inject({ kind: 'status-502', times: 9 });

  expect((await get(checksPath)).status).toBe(500);
  sandbox.faults.clear(first);
  expect((await get(checksPath)).status).toBe(502);
  expect(sandbox.faults.active).toEqual([{ kind: 'status-502', times: 8, id: 2 }]);
  sandbox.faults.clear();
  expect((await get(checksPath)).status).toBe(200);
});

test('an unknown kind and a number of times that makes no sense are refused', () => {
  const faults = new Faults();

  expect(() => faults.inject({ kind: 'gremlin' as FaultName })).toThrow(
    /^kind must be one of status-500, status-502, .*, not "gremlin"$/,
  );
  expect(() => faults.inject({ kind: 'html', times: 0 })).toThrow(RangeError);
  expect(() => faults.inject({ kind: 'html', often: 2 } as never)).toThrow(
    new RangeError('there is no option often'),
  );
});

test('an operation that no request could be for is refused, since the fault would never be suffered', () => {
  const faults = new Faults();

  expect(() => faults.inject({ kind: 'html', operation: 'list_cheques' })).toThrow(
    /^operation must be one of list_checks, create_check, .*, not "list_cheques"$/,
  );
  expect(faults.active).toEqual([]);
});

test('every fault is described in one phrase', () => {
  for (const { description } of Object.values(faultKinds)) {
    expect(description).toMatch(/^\S.{8,170}[^.]$/);
  }
});
