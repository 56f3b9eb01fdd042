import { describe, expect, test } from 'vitest';
import { decodeCheck } from '../../../src/api/resources/checks.ts';

/** Every attribute of API 3.1, section 2.1. */
const full = {
  id: 85975,
  name: 'My check 7',
  type: 'http',
  lasterrortime: 1297446423,
  lasttesttime: 1300977363,
  lastresponsetime: 355,
  lastdownstart: 1297446000,
  lastdownend: 1297446423,
  status: 'up',
  resolution: 5,
  hostname: 'example.com',
  created: 1240394682,
  tags: [{ name: 'apache', type: 'a', count: 2 }],
  ipv6: true,
  severity: 'HIGH',
};

describe('decodeCheck', () => {
  test('reads a full entry, in base units', () => {
    expect(decodeCheck(full)).toEqual({
      id: 85975,
      name: 'My check 7',
      type: 'http',
      status: 'up',
      hostname: 'example.com',
      severity: 'HIGH',
      ipv6: true,
      tags: [{ name: 'apache', source: 'auto' }],
      resolutionSeconds: 300,
      createdAtSeconds: 1240394682,
      lastTestAtSeconds: 1300977363,
      lastErrorAtSeconds: 1297446423,
      lastDownStartAtSeconds: 1297446000,
      lastDownEndAtSeconds: 1297446423,
      lastResponseTimeSeconds: 0.355,
    });
  });

  const bare = { id: 1, name: 'check 1', type: 'unknown', status: 'unknown', tags: [] };

  test('needs no more than an id', () => {
    const check = decodeCheck({ id: 1 });
    expect(check).toStrictEqual(bare);
    expect(Object.keys(check ?? {})).toEqual(['id', 'name', 'type', 'status', 'tags']);
  });

  const attributes = Object.keys(full).filter((key) => key !== 'id');

  test.each([
    ['null', null],
    ['an object', { a: { b: 1 } }],
    ['an empty array', []],
    ['an empty string', ''],
    ['a number beyond all numbers', Number.POSITIVE_INFINITY],
    ['a negative fraction', -1.5],
  ])('reads %s as absent, in any field', (_kind, odd) => {
    const entry = Object.fromEntries([['id', 1], ...attributes.map((key) => [key, odd])]);
    expect(decodeCheck(entry)).toStrictEqual(bare);
  });

  test.each([
    ['as a string', '85975', 85975],
    ['with leading zeros', '007', 7],
  ])('takes an id %s', (_form, id, expected) => {
    expect(decodeCheck({ id })?.id).toBe(expected);
  });

  test.each([
    [{}],
    [{ id: null }],
    [{ id: 0 }],
    [{ id: '0' }],
    [{ id: -4 }],
    [{ id: 1.5 }],
    [{ id: 2 ** 60 }],
    [{ id: '12a' }],
    [{ id: '9'.repeat(30) }],
    [{ id: [1] }],
    [null],
    [7],
    ['85975'],
    [[full]],
  ])('is undefined without a valid id: %j', (entry) => {
    expect(decodeCheck(entry)).toBeUndefined();
  });

  test.each([
    [{ name: 'a', hostname: 'h' }, 'a'],
    [{ hostname: 'h' }, 'h'],
    [{ name: '', hostname: 'h' }, 'h'],
    [{ name: ' \t\u200b', hostname: 'h' }, 'h'],
    [{ name: ' ', hostname: ' ' }, 'check 1'],
    [{ name: 'a "b" \\ c,d|e:f\n😀' }, 'a "b" \\ c,d|e:f\n😀'],
    [{ name: 'half \ud83d' }, 'half \ufffd'],
  ])('names %j %j', (fields, name) => {
    expect(decodeCheck({ id: 1, ...fields })?.name).toBe(name);
  });

  test.each([
    ['httpcustom', 'httpcustom'],
    [{ http: { url: '/' } }, 'http'],
    [{ gopher: {} }, 'unknown'],
    ['gopher', 'unknown'],
    [{}, 'unknown'],
  ])('knows the type %j as %s', (type, expected) => {
    expect(decodeCheck({ id: 1, type })?.type).toBe(expected);
  });

  test.each([
    ['unconfirmed_down', 'unconfirmed_down'],
    ['paused', 'paused'],
    ['exploded', 'unknown'],
    ['constructor', 'unknown'],
  ])('knows the status %s as %s', (status, expected) => {
    expect(decodeCheck({ id: 1, status })?.status).toBe(expected);
  });

  test.each([
    [true, true],
    [1, true],
    ['1', true],
    ['YES', true],
    ['true', true],
    [false, false],
    [0, false],
    ['NO', false],
    ['false', false],
    ['perhaps', undefined],
    [2, undefined],
  ])('reads the boolean %j as %j', (ipv6, expected) => {
    expect(decodeCheck({ id: 1, ipv6 })?.ipv6).toBe(expected);
  });

  test('takes severity_level for severity', () => {
    expect(decodeCheck({ id: 1, severity_level: 'low' })?.severity).toBe('low');
  });

  test('takes numbers as strings of digits', () => {
    const check = decodeCheck({ id: 1, lasttesttime: '1300977363', lastresponsetime: '355' });
    expect(check).toMatchObject({ lastTestAtSeconds: 1300977363, lastResponseTimeSeconds: 0.355 });
  });

  test('takes 0 for what was not measured, never happened or is not set', () => {
    const zeros = { lasttesttime: 0, created: '0', resolution: 0, lastresponsetime: 0 };
    expect(decodeCheck({ id: 1, ...zeros })).toStrictEqual(bare);
  });

  test.each([
    ['down', 1_300_977_363, undefined],
    ['down', 1_300_900_000, undefined],
    ['unconfirmed_down', 1_300_977_363, undefined],
    ['unconfirmed_down', 1_300_900_000, 1_300_900_000],
    ['up', 1_300_977_363, 1_300_977_363],
  ])('a downtime that goes on has no end: %s, %i', (status, lastdownend, end) => {
    const check = decodeCheck({ id: 1, status, lasttesttime: 1_300_977_363, lastdownend });
    expect(check?.lastDownEndAtSeconds).toBe(end);
  });

  test('is not led astray by names of the prototype chain', () => {
    const entry: unknown = JSON.parse(
      '{"id":1,"__proto__":{"name":"x","status":"up"},"constructor":{},"type":{"__proto__":{}}}',
    );
    expect(decodeCheck(entry)).toStrictEqual(bare);
  });
});
