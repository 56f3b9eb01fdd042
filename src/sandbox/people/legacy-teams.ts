import type { Operation, OperationContext } from '../operation.ts';
import { type Inputs, integerListParameter, required, textParameter } from '../query-parameters.ts';
import { identifiedTeam, requireMembers } from './identified.ts';
import { type Team, valuesOf } from './person.ts';

const parameters = ['name', 'userids'];

/** A team as version 2.1 shows it (legacy versions, section 2.4). */
function wireTeam(team: Team, { world }: OperationContext) {
  const users = world.people.membersOf(team).map((person) => ({
    id: String(person.id),
    email: valuesOf(person, 'email')[0]?.address,
    name: person.name,
  }));
  return { id: team.id, name: team.name, users };
}

/** Identifiers are text in reads, and numbers in what writes answer. */
function readTeam(team: Team, context: OperationContext): object {
  return { ...wireTeam(team, context), id: String(team.id) };
}

function memberParameter(inputs: Inputs, context: OperationContext): number[] {
  const ids = integerListParameter(inputs, 'userids');
  requireMembers(ids, context);
  return [...new Set(ids)];
}

/** The teams of version 2.1 (legacy versions, section 4.4). */
export const legacyTeamOperations: readonly Operation[] = [
  {
    name: 'teams',
    summary: 'list the teams with their users',
    method: 'get',
    path: '/teams',
    versions: ['2.1'],
    parameters: [],
    body: 'none',
    run: (_inputs, context) => ({
      teams: context.world.people.teams.map((team) => readTeam(team, context)),
    }),
  },
  {
    name: 'team',
    summary: 'read one team',
    method: 'get',
    path: '/teams/:teamid',
    versions: ['2.1'],
    parameters: [],
    body: 'none',
    run: (inputs, context) => ({ team: readTeam(identifiedTeam(inputs, context), context) }),
  },
  {
    name: 'team.create',
    summary: 'create a team of users',
    method: 'post',
    path: '/teams',
    versions: ['2.1'],
    parameters,
    body: 'form',
    run(inputs, context) {
      const name = required('name', textParameter(inputs, 'name'));
      const memberIds = memberParameter(inputs, context);
      return wireTeam(context.world.people.addTeam({ name, memberIds }), context);
    },
  },
  {
    name: 'team.modify',
    summary: 'rename a team or change who is in it',
    method: 'put',
    path: '/teams/:teamid',
    versions: ['2.1'],
    parameters,
    body: 'form',
    run(inputs, context) {
      const team = identifiedTeam(inputs, context);
      const name = required('name', textParameter(inputs, 'name') ?? team.name);
      const keepsMembers = inputs.userids === undefined;
      const memberIds = keepsMembers ? team.memberIds : memberParameter(inputs, context);
      const changed = { ...team, name, memberIds };
      context.world.people.changeTeam(changed);
      return wireTeam(changed, context);
    },
  },
  {
    name: 'team.delete',
    summary: 'delete a team, not its users',
    method: 'delete',
    path: '/teams/:teamid',
    versions: ['2.1'],
    parameters: [],
    body: 'none',
    run(inputs, context) {
      context.world.people.removeTeam(identifiedTeam(inputs, context).id);
      return { success: true };
    },
  },
];
