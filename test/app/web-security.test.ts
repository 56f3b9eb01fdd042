import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createWebSecurity } from '../../src/app/web-security.ts';
import { createLog } from '../../src/lib/log.ts';
import { Scrubber } from '../../src/lib/secret.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const hash = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';

test('a file on the disk that is replaced, or comes back, holds from then on', () => {
  const folder = mkdtempSync(join(tmpdir(), 'uptime-web-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'web.yml');
  const replace = (user: string) => {
    writeFileSync(`${path}.new`, `basic_auth_users: {${user}: ${hash}}`);
    renameSync(`${path}.new`, path);
  };
  const log = createLog({
    level: 'error',
    format: 'logfmt',
    clock: new VirtualClock(),
    scrubber: new Scrubber(),
    destination: { write: () => undefined },
  });
  replace('alice');
  const security = createWebSecurity(path, log);
  const users = () => [...(security?.current.users.keys() ?? [])];
  expect(security?.current).toBe(security?.current);

  replace('bob');
  expect(users()).toEqual(['bob']);
  rmSync(path);
  expect(users()).toEqual(['bob']);
  replace('carol');
  expect(users()).toEqual(['carol']);
});
