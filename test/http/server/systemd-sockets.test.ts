import { describe, expect, test } from 'vitest';
import { systemdSockets } from '../../../src/http/server/listen-address.ts';

describe('the sockets of systemd', () => {
  test('begin after standard error', () => {
    const env = { LISTEN_PID: '42', LISTEN_FDS: '2' };

    expect(systemdSockets(env, 42)).toEqual([{ fd: 3 }, { fd: 4 }]);
  });

  test.each([
    [{}, 'no socket activation file descriptors found'],
    [{ LISTEN_PID: '42' }, 'no socket activation file descriptors found'],
    [{ LISTEN_PID: '42', LISTEN_FDS: '0' }, 'no socket activation file descriptors found'],
    [{ LISTEN_PID: '42', LISTEN_FDS: '-1' }, 'no socket activation file descriptors found'],
    [{ LISTEN_PID: '41', LISTEN_FDS: '1' }, 'are for process 41, this one is 42'],
  ])('%j is refused: %s', (env, reason) => {
    expect(() => systemdSockets(env, 42)).toThrow(reason);
  });
});
