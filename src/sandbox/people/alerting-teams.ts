import { z } from 'zod';
import { matchingInputs } from '../matching-inputs.ts';
import type { Operation, OperationContext } from '../operation.ts';
import type { Inputs } from '../query-parameters.ts';
import { identifiedTeam, requireMembers } from './identified.ts';
import type { Team } from './person.ts';

const parameters = ['name', 'member_ids'];
const written = z.object({
  name: z.string().min(1, 'must not be empty'),
  member_ids: z.array(z.int().min(0)),
});

/** A team as version 3.1 shows it (API 3.1, section 2.10). */
function wireTeam(team: Team, { world }: OperationContext): object {
  return {
    id: team.id,
    name: team.name,
    members: world.people.membersOf(team).map(({ id, name, kind }) => ({ id, name, type: kind })),
  };
}

function writtenTeam(inputs: Inputs, context: OperationContext): Omit<Team, 'id'> {
  const { name, member_ids } = matchingInputs(written, inputs);
  requireMembers(member_ids, context);
  return { name, memberIds: [...new Set(member_ids)] };
}

/** The teams of version 3.1 (API 3.1, section 4.5). */
export const alertingTeamOperations: readonly Operation[] = [
  {
    name: 'alerting.teams',
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
    name: 'alerting.team.create',
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
    name: 'alerting.team',
    summary: 'read one team',
    method: 'get',
    path: '/alerting/teams/:teamid',
    versions: ['3.1'],
    parameters: [],
    body: 'none',
    run: (inputs, context) => ({ team: wireTeam(identifiedTeam(inputs, context), context) }),
  },
  {
    name: 'alerting.team.update',
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
    name: 'alerting.team.delete',
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
