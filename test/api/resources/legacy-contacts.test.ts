import { describe, expect, test } from 'vitest';
import { legacyContactList } from '../../../src/api/resources/people.ts';

/** Every attribute of API 2.0, section 2.3. */
const full = {
  id: 111250,
  name: 'John Doe',
  email: 'john@example.com',
  cellphone: '46-5555555',
  countryiso: 'SE',
  defaultsmsprovider: 'a',
  directsocial: false,
  socialuser: 'joteamdoe',
  pushatokens: ['tok-1', 'tok-2'],
  pushbtokens: ['tok-3'],
  paused: true,
};

describe('legacyContactList', () => {
  test('counts the targets of a full entry, and keeps nothing that is personal', () => {
    expect(legacyContactList.decode(full)).toStrictEqual({
      id: 111250,
      type: 'contact',
      paused: true,
      targets: [
        { medium: 'email', severity: 'unknown', count: 1 },
        { medium: 'sms', severity: 'unknown', count: 1 },
        { medium: 'social', severity: 'unknown', count: 1 },
        { medium: 'pusha', severity: 'unknown', count: 2 },
        { medium: 'pushb', severity: 'unknown', count: 1 },
      ],
    });
  });

  test('needs no more than an id, which may be text', () => {
    const bare = { id: 7, type: 'contact', targets: [] };
    expect(legacyContactList.decode({ id: '7' })).toStrictEqual(bare);
  });

  test.each([
    ['null', null],
    ['empty text', ''],
    ['blanks', '  '],
    ['an empty array', []],
    ['an object', {}],
    ['a boolean', true],
    ['an array of nothing', [null, '']],
  ])('counts no target for %s, in any list', (_kind, odd) => {
    const entry = { id: 1, email: odd, cellphone: odd, socialuser: odd };
    const contact = legacyContactList.decode({ ...entry, pushatokens: odd, pushbtokens: odd });
    expect(contact?.targets).toEqual([]);
  });

  test('counts a number that comes without quotes', () => {
    expect(legacyContactList.decode({ id: 1, cellphone: 465555555 })?.targets).toEqual([
      { medium: 'sms', severity: 'unknown', count: 1 },
    ]);
  });

  test.each([[null], [{}], [{ id: 0 }], ['1'], [[full]]])(
    'is undefined without a valid id: %j',
    (entry) => {
      expect(legacyContactList.decode(entry)).toBeUndefined();
    },
  );
});
