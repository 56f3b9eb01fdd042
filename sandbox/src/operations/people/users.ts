import {
  type Channel,
  type Person,
  type SandboxTeam,
  type severities,
  type Target,
  valuesOf,
} from '../../account/people.ts';
import { HttpError } from '../../server/http-error.ts';
import { textParameter } from '../../server/parameters.ts';
import type { Operation, OperationContext } from '../operation.ts';
import { count, oneOf, teamById, userById } from '../readers.ts';
import { operation, type Reader, required } from '../table.ts';
import {
  digitsOf,
  done,
  email,
  members,
  name,
  removal,
  severitylevel,
  telephone,
} from './people-parameters.ts';

function wireUser({ id, name: called, paused, targets: all }: Person): object {
  const of = (wanted: Channel) =>
    all.filter(({ channel }) => channel === wanted).map((one) => ({ id: one.id, ...one.value }));
  return { id, name: called, paused: paused ? 'YES' : 'NO', sms: of('sms'), email: of('email') };
}

/** Identifiers are text in responses to reads, and numbers in responses to writes. */
function wireLegacyTeam<I>(one: SandboxTeam, { world }: OperationContext, id: I): object {
  const users = world.people.membersOf(one).map((each) => ({
    id: String(each.id),
    name: each.name,
    email: valuesOf(each, 'email')[0]?.address,
  }));
  return { id, name: one.name, users };
}

const asText = (one: SandboxTeam, context: OperationContext) =>
  wireLegacyTeam(one, context, String(one.id));
const asNumber = (one: SandboxTeam, context: OperationContext) =>
  wireLegacyTeam(one, context, one.id);
const target = '/users/:userid/:targetid';

const targetFields = {
  email,
  number: digitsOf,
  countrycode: digitsOf,
  provider: textParameter,
  severitylevel,
};

/** Undefined without an address and without a number. */
function targetOf(given: { readonly [K in keyof typeof targetFields]: string | undefined }) {
  const { number, countrycode, provider = 'sms_provider_e' } = given;
  const severe = (given.severitylevel ?? 'HIGH') as (typeof severities)[number];
  const found = telephone('number', number, countrycode);
  const sms = found?.number === '' ? undefined : found;
  if (given.email && sms !== undefined) {
    throw new HttpError(400, 'Parameters email and number must not be given together');
  }
  if (given.email) {
    return { channel: 'email', value: { severity: severe, address: given.email } } as const;
  }
  return sms && ({ channel: 'sms', value: { severity: severe, ...sms, provider } } as const);
}

/** A target of the user that the path names. */
const targetOfUser: Reader<Target> = (inputs, name, context) => {
  const id = required(count)(inputs, name, context);
  const found = userById(inputs, 'userid', context).targets.find((one) => one.id === id);
  if (found === undefined) throw new HttpError(404, `No contact target has the identifier ${id}`);
  return found;
};

/** The documentation lists PUT, and its example uses POST. */
const changedTarget = (called: string, method: 'PUT' | 'POST', how: string) =>
  operation(
    called,
    `2.1 ${method} ${target}`,
    `change a contact target of a user${how}`,
    { userid: userById, targetid: targetOfUser, ...targetFields },
    ({ userid: user, targetid: before, ...given }, { world }) => {
      const kept = { ...before.value, severity: given.severitylevel ?? 'HIGH' };
      const changed = {
        ...(targetOf(given) ?? { ...before, value: kept }),
        id: before.id,
      } as Target;
      const targets = user.targets.map((each) => (each.id === before.id ? changed : each));
      world.people.change(user, { targets });
      return done('Modification', 'contact target');
    },
  );

/** Users and teams of version 2.1 (legacy versions, section 4.4). */
export const usersAndTeams: readonly Operation[] = [
  operation(
    'list_contacts',
    '2.1 GET /users',
    'list the users with their contact targets',
    {},
    (_, { world }) => ({ users: world.people.people.all.map(wireUser) }),
  ),
  operation(
    'create_user',
    '2.1 POST /users',
    'create a user without contact targets',
    { name },
    (given, { world }) => ({ user: { id: world.people.add(given.name, 'user', []).id } }),
  ),
  operation(
    'modify_user',
    '2.1 PUT /users/:userid',
    'rename, pause or resume a user',
    { userid: userById, name, primary: oneOf('YES', 'NO'), paused: oneOf('YES', 'NO') },
    ({ userid: user, name: called, paused }, { world }) => {
      world.people.change(user, { name: called, paused: paused === 'YES' });
      return done('Modification', 'user');
    },
  ),
  removal('2.1', '/users/:userid'),
  operation(
    'create_user_target',
    '2.1 POST /users/:userid',
    'give a user an e-mail address or a telephone number',
    { userid: userById, ...targetFields },
    ({ userid: user, ...given }, { world }) => {
      const added = targetOf(given);
      if (added === undefined) throw new HttpError(400, 'Parameter email or number is required');
      const { targets } = world.people.change(user, { targets: [...user.targets, added] });
      return { contact_target: { id: targets.at(-1)?.id } };
    },
  ),
  changedTarget('modify_user_target', 'PUT', ''),
  changedTarget('post_user_target', 'POST', ', by the method of the example'),
  operation(
    'delete_user_target',
    `2.1 DELETE ${target}`,
    'delete a contact target of a user',
    { userid: userById, targetid: targetOfUser },
    ({ userid: user, targetid: removed }, { world }) => {
      world.people.change(user, { targets: user.targets.filter((each) => each !== removed) });
      return done('Deletion', 'contact target');
    },
  ),
  operation(
    'list_teams',
    '2.1 GET /teams',
    'list the teams with their users',
    {},
    (_, context) => ({ teams: context.world.people.teams.all.map((one) => asText(one, context)) }),
  ),
  operation(
    'get_team',
    '2.1 GET /teams/:teamid',
    'read one team',
    { teamid: teamById },
    ({ teamid: team }, context) => ({ team: asText(team, context) }),
  ),
  operation(
    'create_team',
    '2.1 POST /teams',
    'create a team of users',
    { name, userids: members },
    ({ name: called, userids = [] }, context) => {
      const team = { name: called, memberIds: userids };
      return asNumber(
        context.world.people.teams.add((id) => ({ id, ...team })),
        context,
      );
    },
  ),
  operation(
    'modify_team',
    '2.1 PUT /teams/:teamid',
    'rename a team or change who is in it',
    { teamid: teamById, name: textParameter, userids: members },
    ({ teamid: team, name: called = team.name, userids = team.memberIds }, context) => {
      if (called === '') throw new HttpError(400, 'Parameter name is required');
      const changed = { ...team, name: called, memberIds: userids };
      context.world.people.teams.put(changed);
      return asNumber(changed, context);
    },
  ),
  operation(
    'delete_team',
    '2.1 DELETE /teams/:teamid',
    'delete a team, not its users',
    { teamid: teamById },
    ({ teamid: team }, { world }) => {
      world.people.teams.remove(team.id);
      return { success: true };
    },
  ),
];
