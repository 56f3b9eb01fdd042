import { z } from 'zod';
import { type SandboxTeam, valuesOf } from '../../account/people.ts';
import {
  type Inputs,
  integerListParameter,
  matchingInputs,
  requiredParameter,
  textParameter,
} from '../../server/parameters.ts';
import { identifiedTeam, requireMembers } from '../identified.ts';
import type { Operation, OperationContext } from '../operation.ts';

const parameters = ['name', 'member_ids'];
const written = z.object({
  name: z.string().min(1, 'must not be empty'),
  member_ids: z.array(z.int().min(0)),
});

/** A team in the form of version 3.1 (API 3.1, section 2.10). */
function wireTeam(team: SandboxTeam, { world }: OperationContext): object {
  return {
    id: team.id,
    name: team.name,
    members: world.people.membersOf(team).map(({ id, name, kind }) => ({ id, name, type: kind })),
  };
}

function writtenTeam(inputs: Inputs, context: OperationContext): Omit<SandboxTeam, 'id'> {
  const { name, member_ids } = matchingInputs(written, inputs);
  requireMembers(member_ids, context);
  return { name, memberIds: [...new Set(member_ids)] };
}

/** The teams of version 3.1 (API 3.1, section 4.5). */
export const alertingTeamOperations: readonly Operation[] = [
  {
    name: 'list_teams',
    summary: 'list the teams with their members',
    method: 'get',
    path: '/alerting/teams',
    versions: ['3.1'],
    parameters: [],
    body: 'none',
    run: (_inputs, context) => ({
      teams: context.world.people.teams.map((team) => wireTeam(team, context)),
    }),
  },
  {
    name: 'create_team',
    summary: 'create a team of contacts',
    method: 'post',
    path: '/alerting/teams',
    versions: ['3.1'],
    parameters,
    body: 'json',
    run(inputs, context) {
      const { id } = context.world.people.addTeam(writtenTeam(inputs, context));
      return { team: { id } };
    },
  },
  {
    name: 'get_team',
    summary: 'read one team',
    method: 'get',
    path: '/alerting/teams/:teamid',
    versions: ['3.1'],
    parameters: [],
    body: 'none',
    run: (inputs, context) => ({ team: wireTeam(identifiedTeam(inputs, context), context) }),
  },
  {
    name: 'modify_team',
    summary: 'overwrite a team',
    method: 'put',
    path: '/alerting/teams/:teamid',
    versions: ['3.1'],
    parameters,
    body: 'json',
    run(inputs, context) {
      const { id } = identifiedTeam(inputs, context);
      const team = { ...writtenTeam(inputs, context), id };
      context.world.people.changeTeam(team);
      return { team: wireTeam(team, context) };
    },
  },
  {
    name: 'delete_team',
    summary: 'delete a team, not its members',
    method: 'delete',
    path: '/alerting/teams/:teamid',
    versions: ['3.1'],
    parameters: [],
    body: 'none',
    run(inputs, context) {
      context.world.people.removeTeam(identifiedTeam(inputs, context).id);
      return { message: 'Deletion of team was successful!' };
    },
  },
];

const legacyParameters = ['name', 'userids'];

/** A team in the form of version 2.1 (legacy versions, section 2.4). */
function wireLegacyTeam(team: SandboxTeam, { world }: OperationContext) {
  const users = world.people.membersOf(team).map((person) => ({
    id: String(person.id),
    email: valuesOf(person, 'email')[0]?.address,
    name: person.name,
  }));
  return { id: team.id, name: team.name, users };
}

/** Identifiers are text in responses to reads, and numbers in responses to writes. */
function readTeam(team: SandboxTeam, context: OperationContext): object {
  return { ...wireLegacyTeam(team, context), id: String(team.id) };
}

function memberParameter(inputs: Inputs, context: OperationContext): number[] {
  const ids = integerListParameter(inputs, 'userids');
  requireMembers(ids, context);
  return [...new Set(ids)];
}

/** The teams of version 2.1 (legacy versions, section 4.4). */
export const legacyTeamOperations: readonly Operation[] = [
  {
    name: 'list_teams',
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
    name: 'get_team',
    summary: 'read one team',
    method: 'get',
    path: '/teams/:teamid',
    versions: ['2.1'],
    parameters: [],
    body: 'none',
    run: (inputs, context) => ({ team: readTeam(identifiedTeam(inputs, context), context) }),
  },
  {
    name: 'create_team',
    summary: 'create a team of users',
    method: 'post',
    path: '/teams',
    versions: ['2.1'],
    parameters: legacyParameters,
    body: 'form',
    run(inputs, context) {
      const name = requiredParameter('name', textParameter(inputs, 'name'));
      const memberIds = memberParameter(inputs, context);
      return wireLegacyTeam(context.world.people.addTeam({ name, memberIds }), context);
    },
  },
  {
    name: 'modify_team',
    summary: 'rename a team or change who is in it',
    method: 'put',
    path: '/teams/:teamid',
    versions: ['2.1'],
    parameters: legacyParameters,
    body: 'form',
    run(inputs, context) {
      const team = identifiedTeam(inputs, context);
      const name = requiredParameter('name', textParameter(inputs, 'name') ?? team.name);
      const keepsMembers = inputs.userids === undefined;
      const memberIds = keepsMembers ? team.memberIds : memberParameter(inputs, context);
      const changed = { ...team, name, memberIds };
      context.world.people.changeTeam(changed);
      return wireLegacyTeam(changed, context);
    },
  },
  {
    name: 'delete_team',
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
