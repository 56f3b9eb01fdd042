import {
  type Channel,
  type Person,
  type SandboxTeam,
  type severities,
  type Target,
  valuesOf,
} from '../../account/people.ts';
import { HttpError } from '../../server/http-error.ts';
import { type Inputs, integerParameter, textParameter } from '../../server/parameters.ts';
import type { Operation, OperationContext } from '../operation.ts';
import { operation, required } from '../table.ts';
import {
  digitsOf,
  done,
  email,
  members,
  name,
  oneOf,
  person,
  removal,
  severitylevel,
  team,
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
    ...{ id: String(each.id), name: each.name, email: valuesOf(each, 'email')[0]?.address },
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

const targetOfUser = (inputs: Inputs, { targets: all }: Person): Target => {
  const id = required((given) => integerParameter(given, 'targetid', { min: 0 }));
  const number = id(inputs, 'targetid', {} as OperationContext);
  const found = all.find((one) => one.id === number);
  if (found === undefined) {
    throw new HttpError(404, `No contact target has the identifier ${number}`);
  }
  return found;
};

/** The documentation lists PUT, and its example uses POST. */
const changedTarget = (called: string, method: 'PUT' | 'POST', how: string) =>
  operation(
    called,
    `2.1 ${method} ${target}`,
    `change a contact target of a user${how}`,
    { userid: person, ...targetFields },
    (given, { world }, inputs) => {
      const before = targetOfUser(inputs, given.userid);
      const kept = { ...before.value, severity: given.severitylevel ?? 'HIGH' };
      const changed = targetOf(given) ?? { ...before, value: kept };
      world.people.changeTarget(given.userid, { ...changed, id: before.id } as Target);
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
    (_, { world }) => ({ users: world.people.people.map(wireUser) }),
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
    { userid: person, name, primary: oneOf('YES', 'NO'), paused: oneOf('YES', 'NO') },
    ({ userid, name: called, paused }, { world }) => {
      world.people.changePerson(userid, { name: called, paused: paused === 'YES' });
      return done('Modification', 'user');
    },
  ),
  removal('2.1', '/users/:userid'),
  operation(
    'create_user_target',
    '2.1 POST /users/:userid',
    'give a user an e-mail address or a telephone number',
    { userid: person, ...targetFields },
    ({ userid, ...given }, { world }) => {
      const added = targetOf(given);
      if (added === undefined) throw new HttpError(400, 'Parameter email or number is required');
      return { contact_target: { id: world.people.addTarget(userid, added).id } };
    },
  ),
  changedTarget('modify_user_target', 'PUT', ''),
  changedTarget('post_user_target', 'POST', ', by the method of the example'),
  operation(
    'delete_user_target',
    `2.1 DELETE ${target}`,
    'delete a contact target of a user',
    { userid: person },
    ({ userid }, { world }, inputs) => {
      world.people.removeTarget(userid, targetOfUser(inputs, userid).id);
      return done('Deletion', 'contact target');
    },
  ),
  operation(
    'list_teams',
    '2.1 GET /teams',
    'list the teams with their users',
    {},
    (_, context) => ({ teams: context.world.people.teams.map((one) => asText(one, context)) }),
  ),
  operation(
    'get_team',
    '2.1 GET /teams/:teamid',
    'read one team',
    { teamid: team },
    ({ teamid }, context) => ({ team: asText(teamid, context) }),
  ),
  operation(
    'create_team',
    '2.1 POST /teams',
    'create a team of users',
    { name, userids: members },
    ({ name: called, userids = [] }, context) =>
      asNumber(context.world.people.addTeam({ name: called, memberIds: userids }), context),
  ),
  operation(
    'modify_team',
    '2.1 PUT /teams/:teamid',
    'rename a team or change who is in it',
    { teamid: team, name: textParameter, userids: members },
    ({ teamid, name: called = teamid.name, userids = teamid.memberIds }, context) => {
      if (called === '') throw new HttpError(400, 'Parameter name is required');
      const changed = { ...teamid, name: called, memberIds: userids };
      context.world.people.changeTeam(changed);
      return asNumber(changed, context);
    },
  ),
  operation(
    'delete_team',
    '2.1 DELETE /teams/:teamid',
    'delete a team, not its users',
    { teamid: team },
    ({ teamid }, { world }) => {
      world.people.removeTeam(teamid.id);
      return { success: true };
    },
  ),
];
