import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../src/api/errors.ts';
import { parseJson } from '../../../src/api/http/json-body.ts';
import type { MonitoringService } from '../../../src/api/service.ts';
import { createService } from '../../../src/api/versions.ts';
import { type OperationName, operationsOf } from '../../../src/domain/dataset.ts';
import { type ApiVersion, apiVersions } from '../../../src/domain/version.ts';
import { extent } from '../../support/extent.ts';
import fc from '../../support/fast-check.ts';
import { assertSound, oddResponses } from '../../support/odd-responses.ts';
import { operationCalls } from '../../support/operation-calls.ts';
import { exchanges31 } from '../exchanges-v31.ts';
import { cases } from '../legacy/cases.ts';

const { signal } = new AbortController();

interface Row {
  readonly version: ApiVersion;
  readonly operation: OperationName;
  readonly good: unknown;
  readonly call: (service: MonitoringService, signal: AbortSignal) => Promise<unknown>;
}

function rowOf(version: ApiVersion, operation: OperationName): Row {
  if (version === '3.1') {
    const { body } = exchanges31[operation as keyof typeof exchanges31];
    return { version, operation, good: body, call: operationCalls[operation] };
  }
  const row = cases[version].find((candidate) => candidate.operation === operation);
  if (row === undefined) throw new Error(`no good response for ${operation} of ${version}`);
  return { version, operation, good: row.reply, call: row.call };
}

const rows = apiVersions.flatMap((version) =>
  [...operationsOf(version)].map((operation) => rowOf(version, operation)),
);

/**
 * Reads a body that is the response to every request. A failure must be an `ApiError`, and a result
 * must be valid.
 */
async function read({ version, operation, call }: Row, body: Uint8Array) {
  let requests = 0;
  const get = async () => {
    expect(++requests).toBeLessThan(10);
    return parseJson(Buffer.from(body), operation);
  };
  const service = createService(version, { baseUrl: 'https://api.test', get });
  const outcome = await call(service, signal).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome) expect(outcome.error).toBeInstanceOf(ApiError);
  else assertSound(outcome.value);
  return outcome;
}

describe.each(rows)('version $version, $operation', (row) => {
  const { good } = row;

  test('reads a good response', async () => {
    expect(await read(row, Buffer.from(JSON.stringify(good)))).toHaveProperty('value');
  });

  test('reads or refuses a response with odd parts', async () => {
    await fc.assert(
      fc.asyncProperty(oddResponses(good), async (text) => {
        await read(row, Buffer.from(text));
      }),
      { numRuns: extent(8, 200) },
    );
  });

  test('refuses a response that is cut short', async () => {
    const whole = Buffer.from(JSON.stringify(good));
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length - 1 }), async (length) => {
        const outcome = await read(row, whole.subarray(0, length));
        expect(outcome).toMatchObject({ error: { reason: 'not_json' } });
      }),
      { numRuns: extent(2, 30) },
    );
  });

  test('reads or refuses any JSON and any bytes', async () => {
    const json = fc.json().map((text) => new TextEncoder().encode(text));
    await fc.assert(
      fc.asyncProperty(fc.oneof(json, fc.uint8Array({ maxLength: 100 })), async (bytes) => {
        await read(row, bytes);
      }),
      { numRuns: extent(4, 100) },
    );
  });

  test.each([
    ['deep arrays', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['deep objects', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
    ['a number beyond all numbers', '1e999'],
    ['a number of 5000 digits', '9'.repeat(5000)],
  ])('reads or refuses %s in place of each value', async (_what, odd) => {
    const text = JSON.stringify(good);
    for (const { index, 0: value } of text.matchAll(/(?<=:)(\d+|"[^"]*"|true|false|null)/g)) {
      const changed = `${text.slice(0, index)}${odd}${text.slice(index + value.length)}`;
      await read(row, Buffer.from(changed));
    }
  });
});

test.each([
  ['deep arrays', `{"checks":[{"id":1,"tags":${'['.repeat(20_000)}${']'.repeat(20_000)}}]}`],
  ['deep objects', `{"checks":[{"id":1,"name":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}]}`],
  ['huge numbers', `{"checks":[{"id":1,"created":1e999,"lasttesttime":${'9'.repeat(5000)}}]}`],
])('%s cost an attribute, not the list', async (_kind, body) => {
  expect(await read(rowOf('3.1', 'list_checks'), Buffer.from(body))).toEqual({
    value: {
      items: [{ id: 1, name: 'check 1', type: 'unknown', status: 'unknown', tags: [] }],
      rejected: [],
    },
  });
});
