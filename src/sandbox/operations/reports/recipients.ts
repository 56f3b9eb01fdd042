import type { SandboxCheck } from '../../account/checks.ts';
import type { Channel, People, Person, Target } from '../../account/people.ts';
import type { AlertMedium, Recipient } from './sent-alerts.ts';

const media: Readonly<Record<Channel, AlertMedium>> = {
  email: 'email',
  sms: 'sms',
  apns: 'pusha',
  agcm: 'pushb',
};

/**
 * Whom messages about a check go to: its users, contacts and the members of its teams, or else the owner of
 * the account; none who is paused, and each at the addresses for the severity of the check.
 */
export function recipientsOf(check: SandboxCheck, people: People): Recipient[] {
  return addressees(check, people)
    .filter(({ paused }) => !paused)
    .flatMap(({ id, name, targets }) =>
      targets
        .filter(({ value }) => value.severity.toLowerCase() === check.severity)
        .map((target) => ({ id, name, via: media[target.channel], address: addressOf(target) })),
    );
}

function addressees({ settings }: SandboxCheck, people: People): readonly Person[] {
  const members = idsIn(settings.teamids).flatMap((id) => people.team(id)?.memberIds ?? []);
  const ids = new Set([...idsIn(settings.userids), ...idsIn(settings.contactids), ...members]);
  const named = [...ids].flatMap((id) => people.person(id) ?? []);
  return named.length > 0 ? named : people.people.filter(({ owner }) => owner);
}

function idsIn(setting: unknown): readonly number[] {
  return Array.isArray(setting) ? setting.map(Number) : [];
}

function addressOf(target: Target): string {
  switch (target.channel) {
    case 'email':
      return target.value.address;
    case 'sms':
      return `+${target.value.country_code}${target.value.number}`;
    case 'apns':
      return target.value.name;
    case 'agcm':
      return target.value.agcm_id;
  }
}
