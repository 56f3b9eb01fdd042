import { expect, test } from 'vitest';
import type { FaultName } from '../../src/faults/faults.ts';
import { shortHeader, suffering, textOf } from '../suffering.ts';

test.each<[FaultName, number, string, string]>([
  ['status-500', 500, 'Internal Server Error', 'Something went wrong, try again later'],
  ['status-502', 502, 'Bad Gateway', 'Bad gateway'],
  ['status-503', 503, 'Service Unavailable', 'Service temporarily unavailable'],
  ['unauthorized', 401, 'Unauthorized', 'The token is not valid'],
  ['forbidden', 403, 'Forbidden', 'Not permitted for this account type'],
  ['not-found', 404, 'Not Found', 'There is nothing with this identifier'],
])(
  '%s answers %i with the documented body and counts',
  async (kind, statuscode, statusdesc, errormessage) => {
    const { raw } = await suffering(kind);

    const reply = await raw();

    expect(reply.head).toContain(`HTTP/1.1 ${statuscode} ${statusdesc}`);
    expect(reply.head).toContain(shortHeader);
    expect(JSON.parse(textOf(reply))).toEqual({ error: { statuscode, statusdesc, errormessage } });
  },
);

test('limit-exceeded answers 429 and takes nothing from the budget', async () => {
  const { raw, sandbox } = await suffering('limit-exceeded');

  const reply = await raw();

  expect(reply.head).toContain('HTTP/1.1 429 Too Many Requests');
  expect(reply.head).toContain('Req-Limit-Short: Remaining: 400 Time until reset: 3600');
  expect(textOf(reply)).toContain('Request limit exceeded, try again later');
  expect(sandbox.limits.reading('long').remaining).toBe(72_000);
});

test('limit-exceeded-without-headers does the same and says nothing of the limits', async () => {
  const { raw, sandbox } = await suffering('limit-exceeded-without-headers');

  const reply = await raw();

  expect(reply.head).toContain('HTTP/1.1 429 Too Many Requests');
  expect(reply.head.toLowerCase()).not.toContain('req-limit');
  expect(sandbox.limits.reading('short').remaining).toBe(400);
});

test.each([
  ['dated-years-later', 3],
  ['dated-years-earlier', -3],
] as const)('%s answers as usual with a date moved by %i years', async (kind, years) => {
  const { raw, clock } = await suffering(kind);

  const reply = await raw();

  expect(reply.head).toContain('HTTP/1.1 200 OK');
  const [, date = ''] = /^date: (.*)$/im.exec(reply.head) ?? [];
  expect(Date.parse(date)).toBe(clock.now() + years * 365 * 86_400_000);
});

test('redirect answers 302 to another path', async () => {
  const { raw } = await suffering('redirect');

  const reply = await raw();

  expect(reply.head).toContain('HTTP/1.1 302 Found');
  expect(reply.head).toContain('Location: /moved/api/3.1/checks');
});

test.each<[FaultName, string, string]>([
  ['html', 'HTTP/1.1 200 OK', 'text/html'],
  ['html-502', 'HTTP/1.1 502 Bad Gateway', 'text/html'],
])('%s answers a page without limit headers', async (kind, status, type) => {
  const { raw } = await suffering(kind);

  const reply = await raw();

  expect(reply.head).toContain(status);
  expect(reply.head).toContain(`Content-Type: ${type}`);
  expect(reply.head).not.toContain('Req-Limit');
  expect(textOf(reply)).toMatch(/^<!DOCTYPE html>/);
});

test.each([
  ['plain-text-401', '401 Unauthorized'],
  ['plain-text-403', '403 Forbidden'],
] as const)('%s answers as an edge proxy', async (kind, status) => {
  const { raw } = await suffering(kind);

  const reply = await raw();

  expect(reply.head).toContain(`HTTP/1.1 ${status}`);
  expect(reply.head).toContain('Content-Type: text/plain');
  expect(textOf(reply)).toBe('error code: 1020');
});

test.each<[FaultName, string]>([
  ['empty-body', ''],
  ['json-array', '[]'],
  ['json-string', '"all is well"'],
  ['json-empty-object', '{}'],
])('%s answers 200 with that body', async (kind, body) => {
  const { raw } = await suffering(kind);

  const reply = await raw();

  expect(reply.head).toContain('HTTP/1.1 200 OK');
  expect(reply.head).toContain('Content-Type: application/json');
  expect(reply.head).toContain(shortHeader);
  expect(textOf(reply)).toBe(body);
});

test('truncated-json ends in the middle of the proper body', async () => {
  const { raw, properChecks } = await suffering('truncated-json');

  const text = textOf(await raw());

  expect(() => JSON.parse(text)).toThrow(SyntaxError);
  const checks = JSON.stringify(await properChecks());
  expect(`{"checks":${checks}`.startsWith(text)).toBe(true);
});

test('text-content-type is proper JSON said to be plain text', async () => {
  const { raw, properChecks } = await suffering('text-content-type');

  const reply = await raw();

  expect(reply.head).toMatch(/Content-Type: text\/plain\r?$/m);
  expect(JSON.parse(textOf(reply)).checks).toEqual(await properChecks());
});
