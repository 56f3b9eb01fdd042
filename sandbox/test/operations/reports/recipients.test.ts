import { expect, test } from 'vitest';
import { People, type Person } from '../../../src/account/people.ts';
import { World } from '../../../src/account/world.ts';
import { recipientsOf } from '../../../src/operations/reports/actions.ts';

const owner: Person = {
  id: 1,
  name: 'Owner',
  kind: 'user',
  owner: true,
  paused: false,
  directSocial: true,
  targets: [
    { id: 11, channel: 'email', value: { severity: 'HIGH', address: 'owner@example.com' } },
    { id: 12, channel: 'email', value: { severity: 'LOW', address: 'later@example.com' } },
    {
      id: 13,
      channel: 'sms',
      value: { severity: 'HIGH', country_code: '46', number: '700', provider: 'p' },
    },
    { id: 14, channel: 'apns', value: { severity: 'HIGH', device: 'd', name: 'Phone' } },
    { id: 15, channel: 'agcm', value: { severity: 'HIGH', agcm_id: 'g1' } },
  ],
};
const guest: Person = {
  ...owner,
  id: 2,
  name: 'Guest',
  owner: false,
  targets: [
    { id: 21, channel: 'email', value: { severity: 'HIGH', address: 'guest@example.com' } },
  ],
};

function namesFor(settings: Readonly<Record<string, readonly number[]>>, guestPaused = false) {
  const people = new People({
    people: [owner, { ...guest, paused: guestPaused }],
    teams: [{ id: 5, name: 'Team', memberIds: [2] }],
  });
  return recipientsOf(checkWith(settings), people).map(({ name }) => name);
}

function checkWith(settings: Readonly<Record<string, readonly number[]>>) {
  const check = new World({ seed: 1, checks: 1, startedAt: 1_767_225_600 }).checks[0];
  if (check === undefined) throw new Error('the world has no check');
  return { ...check, severity: 'high' as const, settings };
}

test('messages go to every address of the severity of the check, by its medium', () => {
  const people = new People({ people: [owner], teams: [{ id: 5, name: 'Team', memberIds: [] }] });

  expect(recipientsOf(checkWith({}), people)).toEqual([
    { id: 1, name: 'Owner', via: 'email', address: 'owner@example.com' },
    { id: 1, name: 'Owner', via: 'sms', address: '+46700' },
    { id: 1, name: 'Owner', via: 'pusha', address: 'Phone' },
    { id: 1, name: 'Owner', via: 'pushb', address: 'g1' },
  ]);
  expect(recipientsOf({ ...checkWith({}), severity: 'low' }, people)).toEqual([
    { id: 1, name: 'Owner', via: 'email', address: 'later@example.com' },
  ]);
});

test('a check notifies its users, contacts or teams, otherwise the owner', () => {
  expect(namesFor({ userids: [2] })).toEqual(['Guest']);
  expect(namesFor({ contactids: [2] })).toEqual(['Guest']);
  expect(namesFor({ teamids: [5] })).toEqual(['Guest']);
  expect(namesFor({ teamids: [5], userids: [2], contactids: [2] })).toEqual(['Guest']);
  expect(new Set(namesFor({}))).toEqual(new Set(['Owner']));
  expect(new Set(namesFor({ userids: [99] }))).toEqual(new Set(['Owner']));
});

test('who is paused is not told, and nobody else instead', () => {
  expect(namesFor({ userids: [2] }, true)).toEqual([]);
});
