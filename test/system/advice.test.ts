import { expect, test } from 'vitest';
import type { FaultName } from '../../sandbox/src/faults/faults.ts';
import type { ApiVersion } from '../../src/domain/version.ts';
import { World } from '../life/world.ts';
import { accountsByVersion } from '../support/accounts-by-version.ts';

/** The advice of the first warning about the check list, and that on the page. */
async function adviceFor(kind: FaultName, version: ApiVersion) {
  const world = World.inMemory({
    checks: 2,
    transactions: 0,
    wire: { stray401: 0, stray403: 0, errorBodies: 'api' },
  });
  world.sandbox.faults.inject({ kind });
  await world.start(accountsByVersion[version]);
  await world.pass(40);
  const failed = world.log.find((line) => /level=warn.*dataset=checks/.test(line)) ?? '';
  const page = await world.get('/');
  await world.stop();
  const [, logged = ''] = /advice="([^"]*)"/.exec(failed) ?? [];
  const [, shown = ''] = /What to do: ([^<]*)/.exec(page) ?? [];
  return { logged, shown };
}

test.each([
  ['a 403 of a user of API 2.x', 'forbidden', '2.1', /set account_email/],
  ['a 404 of API 2.1', 'not-found', '2.1', /may have ended.*version 3\.1 and a token/],
  ['a 410 of API 2.0', 'gone', '2.0', /may have ended.*version 3\.1 and a token/],
  ['a response that is late', 'hang', '3.1', /timeouts\.headers/],
] as const)('the advice for %s names what helps', async (_, kind, version, advice) => {
  const { logged, shown } = await adviceFor(kind, version);

  expect(logged).toMatch(advice);
  expect(shown).toContain(logged);
});

test.each(['forbidden', 'not-found', 'gone'] as const)(
  'the advice for %s of API 3.1 does not name settings of API 2.x',
  async (kind) => {
    const { logged } = await adviceFor(kind, '3.1');

    expect(logged).not.toMatch(/account_email|have ended/);
    expect(logged).not.toBe('');
  },
);
