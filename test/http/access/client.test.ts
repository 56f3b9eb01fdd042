import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { addressGroup, clientOf } from '../../../src/http/access/client.ts';

describe('what guesses are counted by', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::1', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    [undefined, ''],
  ])('%j is of %j', (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });

  test('two hosts of one IPv6 network are one, of two networks two', () => {
    expect(addressGroup('2001:db8::1')).toBe(addressGroup('2001:db8::ffff:1'));
    expect(addressGroup('2001:db8:0:1::1')).not.toBe(addressGroup('2001:db8:0:2::1'));
  });
});

test('a program may call itself what it likes, and 200 characters of it are kept', () => {
  const headers = { 'user-agent': `Prometheus/3.5.0${' and more'.repeat(100)}` };
  const { agent } = clientOf({ socket: new Socket(), headers });

  expect(agent).toHaveLength(200);
  expect(agent).toMatch(/^Prometheus\/3.5.0 and more/);
});
