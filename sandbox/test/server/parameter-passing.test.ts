import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import {
  bearer,
  legacyHeaders,
  refused,
  type Sent,
  startTestSandbox,
} from '../start-test-sandbox.ts';

const path = '/api/3.1/checks';
const wanted = { name: 'Shop & co', host: 'shop.example.com', type: 'http', tags: ['a', 'b'] };
const form = 'name=Shop+%26+co&host=shop.example.com&type=http&tags=a,b';

interface Created {
  readonly check: { readonly id: number; readonly name: string };
}

describe('a check can be created', () => {
  test.each<[string, string, Sent]>([
    ['from JSON in 3.1', path, { json: wanted }],
    ['from JSON with a comma-separated list', path, { json: { ...wanted, tags: 'a,b' } }],
    ['from a form in 3.1', path, { form }],
    ['from the query in 3.1', `${path}?${form}`, {}],
    ['from query and JSON in 3.1', `${path}?host=shop.example.com&type=http`, { json: wanted }],
    ['from a form in 2.1', '/api/2.1/checks', { form }],
    ['from the URL in 2.0', `/api/2.0/checks?${form}`, {}],
    ['from URL and form in 2.0', '/api/2.0/checks?type=http&tags=a,b', { form }],
  ])('%s', async (_what, target, sent) => {
    const { send } = await startTestSandbox();

    const created = await send<Created>('POST', target, sent);
    const list = await send('GET', `${path}?include_tags=true&tags=b`);

    expect(created.status).toBe(200);
    expect(created.body).toEqual({ check: { id: expect.any(Number), name: 'Shop & co' } });
    expect(list.body).toMatchObject({
      checks: [
        {
          id: created.body.check.id,
          hostname: 'shop.example.com',
          tags: expect.arrayContaining([{ name: 'a', type: 'u', count: 1 }]),
        },
      ],
    });
  });
});

async function post(target: string, headers: Record<string, string>, body: string) {
  const { sandbox } = await startTestSandbox();
  const response = await request(sandbox.url + target, { method: 'POST', headers, body });
  return { status: response.statusCode, body: await response.body.json(), sandbox };
}

const json = { 'content-type': 'application/json' };

test.each([
  ['{"name":', 400, 'The body is not valid JSON'],
  ['', 400, 'Parameter name is required'],
  ['[1]', 400, 'The body must be a JSON object'],
  ['null', 400, 'The body must be a JSON object'],
  [
    '{"name": {"a": 1}, "host": "a", "type": "http"}',
    400,
    'Parameter name must be text, not {"a":1}',
  ],
  ['{"colour": "red"}', 400, /^Unknown parameter colour; allowed are: name, /],
])('a body of %s gets the documented error body', async (body, status, errormessage) => {
  const reply = await post(path, { ...bearer, ...json }, body);

  expect(reply).toMatchObject(refused(status, errormessage));
  expect(reply.sandbox.limits.reading('short').remaining).toBe(399);
});

test('JSON belongs to version 3.1', async () => {
  const reply = await post(
    '/api/2.1/checks',
    { ...legacyHeaders, ...json },
    JSON.stringify(wanted),
  );

  expect(reply).toMatchObject(
    refused(415, 'The Content-Type of the body must be application/x-www-form-urlencoded'),
  );
});

test('teams of 3.1 take JSON alone', async () => {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const reply = await post('/api/3.1/alerting/teams', { ...bearer, ...type }, 'name=a&member_ids=');

  expect(reply).toMatchObject(
    refused(415, 'The Content-Type of the body must be application/json'),
  );
});

test('a form without a Content-Type is read', async () => {
  const reply = await post('/api/2.0/checks', legacyHeaders, form);

  expect(reply.status).toBe(200);
});

test('a body of more than a megabyte is refused', async () => {
  const reply = await post(path, { ...bearer, ...json }, `{"name":"${'x'.repeat(1_100_000)}"}`);

  expect(reply.status).toBe(413);
  expect(reply.body).toMatchObject({ error: { statuscode: 413 } });
});
