import { describe, expect, test } from 'vitest';
import { decodeServerTime } from '../../../src/api/resources/account.ts';

describe('decodeServerTime', () => {
  test.each([
    ['a number', { servertime: 1294237910 }],
    ['digits', { servertime: '1294237910' }],
  ])('reads %s', (_form, reply) => {
    expect(decodeServerTime(reply, 'test')).toBe(1294237910);
  });

  test.each([
    ['nothing', {}],
    ['null', { servertime: null }],
    ['number', { servertime: 0 }],
    ['number', { servertime: -5 }],
    ['number', { servertime: 1.5 }],
    ['string', { servertime: 'now' }],
    ['object', { servertime: {} }],
    ['nothing', null],
    ['nothing', [1294237910]],
  ])('refuses %s: %j', (kind, reply) => {
    expect(() => decodeServerTime(reply, 'test')).toThrow(
      expect.objectContaining({
        reason: 'shape',
        operation: 'test',
        message: `test: servertime: expected UNIX seconds, found ${kind}`,
      }),
    );
  });
});
