import { expect, test } from 'vitest';
import type { FaultName } from '../../src/faults/faults.ts';
import { token } from '../start-test-sandbox.ts';
import { creditsPath, suffering, textOf } from '../suffering.ts';

test('echo-credentials repeats the Authorization header and the token', async () => {
  const { raw } = await suffering('echo-credentials');

  const reply = await raw();

  expect(reply.head).toContain('HTTP/1.1 500');
  expect(JSON.parse(textOf(reply)).error.errormessage).toBe(
    `Failed for Authorization: Bearer ${token} (token ${token})`,
  );
});

test('echo-credentials-in-texts repeats the token in names, and leaves the other words alone', async () => {
  const { raw, properChecks } = await suffering('echo-credentials-in-texts');

  const [first] = JSON.parse(textOf(await raw())).checks;
  const [proper] = await properChecks();

  expect(first).toMatchObject({ id: proper?.id, type: proper?.type, status: proper?.status });
  expect(first.name.startsWith(`${proper?.name} Bearer ${token} `)).toBe(true);
  expect(first.name).toContain(Buffer.from(token).toString('base64'));
  expect(first.hostname).toContain(token);
});

test('echo-credentials-everywhere repeats the token in every text, in a header and as an attribute', async () => {
  const { raw } = await suffering('echo-credentials-everywhere');

  const reply = await raw(creditsPath);

  expect(reply.head).toMatch(new RegExp(`Req-Limit-Short: .*${token}`));
  expect(reply.head).toMatch(new RegExp(`X-Request-Id: .*${token}`));
  const [, attribute] = Object.keys(JSON.parse(textOf(reply)));
  expect(attribute).toContain(token);
});

test.each<[FaultName, RegExp]>([
  ['echo-credentials-in-redirect', /^HTTP\/1.1 302 .*Location: \/moved\?.*token-for-tests/s],
  ['echo-credentials-in-page', /^HTTP\/1.1 502 .*<pre>.*token-for-tests/s],
  ['echo-credentials-in-bad-json', /^HTTP\/1.1 200 .*\r\nBearer token-for-tests/s],
])('%s shows the token', async (kind, expected) => {
  const { raw } = await suffering(kind);

  const reply = await raw();

  expect(`${reply.head}\r\n${textOf(reply)}`).toMatch(expected);
});
