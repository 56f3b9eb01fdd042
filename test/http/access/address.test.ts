import { describe, expect, test } from 'vitest';
import { addressGroup } from '../../../src/http/access/address.ts';

describe('the address by which guesses are counted', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::1', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    [undefined, ''],
  ])('of %j is %j', (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });

  test('is the same for two hosts of one IPv6 network, and differs between networks', () => {
    expect(addressGroup('2001:db8::1')).toBe(addressGroup('2001:db8::ffff:1'));
    expect(addressGroup('2001:db8:0:1::1')).not.toBe(addressGroup('2001:db8:0:2::1'));
  });
});
