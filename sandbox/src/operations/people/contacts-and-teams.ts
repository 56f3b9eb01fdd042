import { z } from 'zod';
import {
  type Channel,
  type NewTarget,
  type Person,
  type SandboxTeam,
  severities,
  valuesOf,
} from '../../account/people.ts';
import { emailAddress } from '../account/email-reports.ts';
import type { Operation, OperationContext } from '../operation.ts';
import { contactById, requireMembers, teamById } from '../readers.ts';
import { json, operation } from '../table.ts';
import { done, removal } from './people-parameters.ts';

const severity = z.enum(severities);
const digits = z.string().regex(/^\d+$/, 'must be digits');
const word = z.string().min(1, 'must not be empty');

/** The channels of notification targets (API 3.1, section 4.5), in the order of responses. */
const channels = {
  email: z.strictObject({ severity, address: emailAddress }),
  sms: z.strictObject({ severity, country_code: digits, number: digits, provider: word }),
  apns: z.strictObject({ severity, device: word, name: word }),
  agcm: z.strictObject({ severity, agcm_id: word }),
} as const;
const channelNames = Object.keys(channels) as Channel[];

const targets = z
  .strictObject({
    email: z.array(channels.email).default([]),
    sms: z.array(channels.sms).default([]),
    apns: z.array(channels.apns).default([]),
    agcm: z.array(channels.agcm).default([]),
  })
  .refine(
    (given) => Object.values(given).some((ofChannel) => ofChannel.length > 0),
    'there must be at least one notification method',
  )
  .transform((given) =>
    channelNames.flatMap((channel) =>
      given[channel].map((value) => ({ channel, value }) as NewTarget),
    ),
  );
const contact = { name: word, notification_targets: targets };
const newContact = z.object({ ...contact, paused: z.boolean().default(false) });
const wholeContact = z.object({ ...contact, paused: z.boolean() });
const wholeTeam = z.object({ name: word, member_ids: z.array(z.int().min(0)) });

function wireContact(one: Person, { world }: OperationContext): object {
  const { id, name: called, paused, kind, owner } = one;
  const [apns, agcm] = [valuesOf(one, 'apns'), valuesOf(one, 'agcm')];
  return {
    id,
    name: called,
    paused,
    type: kind,
    ...(owner && { owner: true }),
    notification_targets: {
      email: valuesOf(one, 'email'),
      sms: valuesOf(one, 'sms'),
      ...(apns.length > 0 && { apns }),
      ...(agcm.length > 0 && { agcm }),
    },
    teams: world.people.teamsOf(id).map((each) => ({ id: each.id, name: each.name })),
  };
}

function wireTeam(one: SandboxTeam, { world }: OperationContext): object {
  const shown = world.people.membersOf(one).map((each) => ({
    id: each.id,
    name: each.name,
    type: each.kind,
  }));
  return { id: one.id, name: one.name, members: shown };
}

const contacts = '/alerting/contacts';
const oneContact = '/alerting/contacts/:contactid';
const teams = '/alerting/teams';

/** Contacts and teams of version 3.1 (API 3.1, section 4.5). */
export const contactsAndTeams: readonly Operation[] = [
  operation(
    'list_contacts',
    `3.1 GET ${contacts}`,
    'list the contacts with their notification targets',
    {},
    (_, context) => ({
      contacts: context.world.people.people.all.map((one) => wireContact(one, context)),
    }),
  ),
  operation(
    'create_contact',
    `3.1 POST ${contacts}`,
    'create a contact',
    { contact: json(newContact) },
    ({ contact: { name, paused, notification_targets } }, { world }) => ({
      contact: { id: world.people.add(name, 'contact', notification_targets, { paused }).id },
    }),
  ),
  operation(
    'get_contact',
    `3.1 GET ${oneContact}`,
    'read one contact',
    { contactid: contactById },
    ({ contactid: contact }, context) => ({ contact: wireContact(contact, context) }),
  ),
  operation(
    'modify_contact',
    `3.1 PUT ${oneContact}`,
    'overwrite a contact',
    { contactid: contactById, changes: json(wholeContact) },
    ({ contactid: before, changes: { name, paused, notification_targets } }, context) => {
      const changes = { name, paused, targets: notification_targets };
      return { contact: wireContact(context.world.people.change(before, changes), context) };
    },
  ),
  operation(
    'list_teams',
    `3.1 GET ${teams}`,
    'list the teams with their members',
    {},
    (_, context) => ({
      teams: context.world.people.teams.all.map((one) => wireTeam(one, context)),
    }),
  ),
  operation(
    'create_team',
    `3.1 POST ${teams}`,
    'create a team of contacts',
    { team: json(wholeTeam) },
    ({ team }, context) => {
      const { id } = context.world.people.teams.add((newId) => teamOf(newId, team, context));
      return { team: { id } };
    },
  ),
  operation(
    'get_team',
    `3.1 GET ${teams}/:teamid`,
    'read one team',
    { teamid: teamById },
    ({ teamid: team }, context) => ({ team: wireTeam(team, context) }),
  ),
  operation(
    'modify_team',
    `3.1 PUT ${teams}/:teamid`,
    'overwrite a team',
    { teamid: teamById, changes: json(wholeTeam) },
    ({ teamid: { id }, changes }, context) => {
      const changed = teamOf(id, changes, context);
      context.world.people.teams.put(changed);
      return { team: wireTeam(changed, context) };
    },
  ),
  operation(
    'delete_team',
    `3.1 DELETE ${teams}/:teamid`,
    'delete a team, not its members',
    { teamid: teamById },
    ({ teamid: team }, { world }) => {
      world.people.teams.remove(team.id);
      return done('Deletion', 'team');
    },
  ),
  removal('3.1', oneContact),
];

function teamOf(
  id: number,
  { name, member_ids }: z.output<typeof wholeTeam>,
  context: OperationContext,
): SandboxTeam {
  requireMembers(member_ids, context);
  return { id, name, memberIds: [...new Set(member_ids)] };
}
