import { z } from 'zod';
import {
  type Contact,
  contactTypes,
  type TargetCount,
  type TargetMedium,
  type Team,
  targetSeverities,
} from '../../domain/people.ts';
import { isObject } from '../decoding/envelope.ts';
import { booleanOf, enumValueOf, flag, identifier, text, visibleText } from '../decoding/fields.ts';
import { byId, decodedBy, readList, readWhole } from '../list.ts';
import type { Reader } from '../reader.ts';
import type { Listing } from '../service.ts';

/** Counts the targets of each medium by severity. Nothing else of a target is read. */
function countTargets(lists: { readonly [M in TargetMedium]?: unknown }): readonly TargetCount[] {
  return Object.entries(lists).flatMap(([medium, list]) => {
    const targets = Array.isArray(list) ? list.filter(isObject) : [];
    const found = targets.map(({ severity }) => enumValueOf(targetSeverities, severity));
    return targetSeverities
      .map((severity) => ({
        medium: medium as TargetMedium,
        severity,
        count: found.filter((other) => other === severity).length,
      }))
      .filter(({ count }) => count > 0);
  });
}

/** API 3.1, section 2.10. */
const wireContact = z.object({
  id: identifier,
  type: text,
  paused: flag,
  owner: flag,
  notification_targets: z.unknown().optional(),
});

const contactList = {
  field: 'contacts',
  decode: decodedBy(wireContact, (wire) => {
    const { email, sms, apns, agcm } = isObject(wire.notification_targets)
      ? wire.notification_targets
      : {};
    return {
      id: wire.id,
      type: enumValueOf(contactTypes, wire.type),
      paused: booleanOf(wire.paused),
      owner: booleanOf(wire.owner),
      targets: countTargets({ email, sms, apns, agcm }),
    };
  }),
  ...byId,
};

const contactsOperation = 'list_contacts';

/** API 3.1, section 4.5. */
export function listContacts(reader: Reader, signal: AbortSignal): Promise<Listing<Contact>> {
  const request = { operation: contactsOperation, path: 'alerting/contacts', signal };
  return readWhole(reader, contactList, request);
}

/** API 2.1, section 2.4. */
const wireUser = z.object({
  id: identifier,
  paused: flag,
  email: z.unknown().optional(),
  sms: z.unknown().optional(),
});

const userList = {
  field: 'users',
  decode: decodedBy(wireUser, ({ id, paused, email, sms }) => ({
    id,
    type: 'user' as const,
    paused: booleanOf(paused),
    targets: countTargets({ email, sms }),
  })),
  ...byId,
};

/** All users of version 2.1, which has no contacts (API 2.1, section 4.4). */
export function listUsers(reader: Reader, signal: AbortSignal): Promise<Listing<Contact>> {
  return readWhole(reader, userList, { operation: contactsOperation, path: 'users', signal });
}

const optionalUnknown = z.unknown().optional();

/** API 2.0, section 2.3. */
const wireContactV20 = z.object({
  id: identifier,
  paused: flag,
  email: optionalUnknown,
  cellphone: optionalUnknown,
  socialuser: optionalUnknown,
  pushatokens: optionalUnknown,
  pushbtokens: optionalUnknown,
});

export const legacyContactList = {
  field: 'contacts',
  decode: decodedBy(wireContactV20, (wire) => ({
    id: wire.id,
    type: 'contact' as const,
    paused: booleanOf(wire.paused),
    targets: [
      ...legacyTargets('email', [wire.email]),
      ...legacyTargets('sms', [wire.cellphone]),
      ...legacyTargets('social', [wire.socialuser]),
      ...legacyTargets('pusha', wire.pushatokens),
      ...legacyTargets('pushb', wire.pushbtokens),
    ],
  })),
  ...byId,
};

/** Counts the addresses, which are not read otherwise. Version 2.0 has no severities. */
function legacyTargets(medium: TargetMedium, addresses: unknown): TargetCount[] {
  const count = Array.isArray(addresses) ? addresses.filter(isAddress).length : 0;
  return count === 0 ? [] : [{ medium, severity: 'unknown', count }];
}

/** A phone number may be a JSON number. */
function isAddress(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() !== '' : typeof value === 'number';
}

/** The default size of a result page; a maximum is not documented (API 2.0, section 4.3). */
const legacyContactsPageSize = 100;

/** The complete list of contacts of version 2.0. Rejects with an `ApiError`. */
export async function listLegacyContacts(
  reader: Reader,
  signal: AbortSignal,
): Promise<Listing<Contact>> {
  const request = { operation: contactsOperation, path: 'contacts', signal };
  return readList({ ...request, reader, limit: legacyContactsPageSize, form: legacyContactList });
}

/** API 3.1, section 2.10; API 2.1, section 2.4, where members are users. */
const wireTeam = z.object({
  id: identifier,
  name: text,
  members: z.array(z.unknown()).optional().catch(undefined),
  users: z.array(z.unknown()).optional().catch(undefined),
});

const teamList = {
  field: 'teams',
  decode: decodedBy(wireTeam, (wire) => ({
    id: wire.id,
    name: visibleText(wire.name) ?? `team ${wire.id}`,
    memberCount: (wire.members ?? wire.users)?.length,
  })),
  ...byId,
};

const teamsOperation = 'list_teams';

/** API 3.1, section 4.5. */
export function listTeams(reader: Reader, signal: AbortSignal): Promise<Listing<Team>> {
  const request = { operation: teamsOperation, path: 'alerting/teams', signal };
  return readWhole(reader, teamList, request);
}

/** All teams of version 2.1 (API 2.1, section 4.4). Rejects with an `ApiError`. */
export function listLegacyTeams(reader: Reader, signal: AbortSignal): Promise<Listing<Team>> {
  return readWhole(reader, teamList, { operation: teamsOperation, path: 'teams', signal });
}
