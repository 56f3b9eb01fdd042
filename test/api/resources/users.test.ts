import { describe, expect, test } from 'vitest';
import { userList } from '../../../src/api/resources/people.ts';

/** Every attribute of API 2.1, section 2.4. */
const full = {
  id: 1234,
  paused: 'NO',
  name: 'John Doe',
  sms: [
    { id: 1, severity: 'HIGH', country_code: '46', number: '5555555', provider: 'e' },
    { id: 2, severity: 'LOW', country_code: '46', number: '5555556', provider: 'e' },
    { id: 3, severity: 'LOW', country_code: '46', number: '5555557', provider: 'e' },
  ],
  email: [{ id: 4, severity: 'HIGH', address: 'john@example.com' }],
};

describe('userList', () => {
  test('counts the targets of a full entry by severity, and keeps nothing that is personal', () => {
    expect(userList.decode(full)).toStrictEqual({
      id: 1234,
      type: 'user',
      paused: false,
      targets: [
        { medium: 'email', severity: 'high', count: 1 },
        { medium: 'sms', severity: 'high', count: 1 },
        { medium: 'sms', severity: 'low', count: 2 },
      ],
    });
  });

  test('needs no more than an id, which may be text', () => {
    expect(userList.decode({ id: '7' })).toStrictEqual({ id: 7, type: 'user', targets: [] });
  });

  test.each([
    ['YES', true],
    ['NO', false],
    ['no', false],
    [1, true],
    [0, false],
    [true, true],
    ['perhaps', undefined],
  ])('reads paused %j as %j', (paused, expected) => {
    expect(userList.decode({ id: 1, paused })?.paused).toBe(expected);
  });

  test('counts a target without a valid severity', () => {
    expect(userList.decode({ id: 1, sms: [{}, { severity: 7 }] })?.targets).toEqual([
      { medium: 'sms', severity: 'unknown', count: 2 },
    ]);
  });

  test.each([[null], [{}], [{ id: -1 }], ['1']])('is undefined without a valid id: %j', (entry) => {
    expect(userList.decode(entry)).toBeUndefined();
  });
});
