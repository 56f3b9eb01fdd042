import { describe, expect, test } from 'vitest';
import { type QuirkName, quirkKinds } from '../../src/faults/quirks.ts';
import { startTestSandbox } from '../start-test-sandbox.ts';

const path = '/api/3.1/checks';

async function answers(...quirks: QuirkName[]) {
  const proper = await startTestSandbox();
  const odd = await startTestSandbox({ quirks });
  const both = async (query: string) => {
    const expected = await proper.get(query);
    const actual = await odd.get(query);
    return { proper: expected.json(), odd: actual.json() };
  };
  return { both, odd };
}

test('extra-fields adds what is not documented', async () => {
  const { both } = await answers('extra-fields');

  const { proper, odd } = await both(path);

  expect(odd.checks).toEqual(
    proper.checks.map((entry) => ({ ...entry, alert_policy: 17, extra: { note: [null] } })),
  );
});

test('severity_level takes the place of severity', async () => {
  const { both } = await answers('severity_level');

  const { proper, odd } = await both(`${path}?include_severity=true`);

  expect(odd.checks).toEqual(
    proper.checks.map(({ severity, ...entry }) => ({
      ...entry,
      severity_level: String(severity).toUpperCase(),
    })),
  );
});

describe('limit headers', () => {
  test('may be missing', async () => {
    const { odd } = await answers('no-limit-headers');

    const { headers, status } = await odd.get(path);

    expect(status).toBe(200);
    expect(Object.keys(headers).filter((name) => name.includes('limit'))).toEqual([]);
    expect(odd.sandbox.limits.reading('short').remaining).toBe(399);
  });

  test('may be in odd case', async () => {
    const { odd } = await answers('mixed-case-limit-headers');

    const response = await fetch(odd.sandbox.url + path, {
      headers: { authorization: 'Bearer token-for-tests' },
    });

    expect(response.headers.get('req-limit-short')).toBe('Remaining: 399 Time until reset: 3600');
    await response.text();
  });
});

test('several quirks come together, in errors too', async () => {
  const { odd } = await answers('severity_level', 'extra-fields', 'no-limit-headers');

  const { checks } = (await odd.get(`${path}?include_severity=true`)).json();
  const { status, headers } = await odd.get(`${path}?sort=1`);

  expect(checks[0]).toMatchObject({ severity_level: expect.any(String), alert_policy: 17 });
  expect(status).toBe(400);
  expect(headers).not.toHaveProperty('req-limit-short');
});

test('every quirk is described in one phrase', () => {
  for (const { description } of Object.values(quirkKinds)) {
    expect(description).toMatch(/^\S.{8,170}[^.]$/);
  }
});
