import type { SandboxCheck } from '../../account/checks.ts';
import type { Channel, People, Person, Target } from '../../account/people.ts';
import type { World } from '../../account/world.ts';
import {
  enumListParameter,
  type Inputs,
  integerListParameter,
  integerParameter,
} from '../../server/parameters.ts';
import { type ApiVersion, apiVersions } from '../../vocabulary.ts';
import type { Operation } from '../operation.ts';
import { periodOf } from './report-parameters.ts';
import {
  type AlertMedium,
  type Audience,
  alertMedia,
  alertStatuses,
  type Recipient,
  type SentAlert,
  sentAlerts,
} from './sent-alerts.ts';

/**
 * A sent message in the form of the list of actions (API 3.1, section 2.2; legacy versions, section
 * 2.2).
 */
function actionEntry({ check, event, recipient, status }: SentAlert, version: ApiVersion): object {
  const { time, kind, since } = event;
  const moment = new Date(since * 1000).toISOString();
  const state = kind === 'down' ? `down since ${moment}` : `up again; it was down since ${moment}`;
  const recipientFields =
    version === '2.0'
      ? { contactname: recipient.name, contactid: recipient.id }
      : { username: recipient.name, userid: recipient.id };
  return {
    ...recipientFields,
    checkid: check.id,
    time,
    via: recipient.via,
    status,
    messageshort: kind,
    messagefull: `${check.name} (${check.hostname}) is ${state}.`,
    sentto: recipient.address,
    charged: recipient.via === 'sms' && status !== 'nocredits',
  };
}

const defaultLimit = 100;
const maxLegacyLimit = 300;
const pending = 'pending';
const statusNames = ['sent', 'delivered', 'error', 'not_delivered', 'no_credits'] as const;

/**
 * `GET /actions` (API 3.1, sections 2.2 and 4.3; legacy versions, sections 2.2 and 4.2): newest
 * first. Two of the statuses have an underscore in the filter, but not in the entries. No message
 * stays pending.
 */
export const listActions: Operation = {
  name: 'list_actions',
  summary: 'list the alerts that were sent',
  method: 'get',
  path: '/actions',
  versions: apiVersions,
  parameters: (version) => [
    'from',
    'to',
    'limit',
    'offset',
    'checkids',
    peopleFilter(version),
    'status',
    'via',
  ],
  body: 'none',
  run(inputs, { version, world, now }) {
    const period = periodOf(inputs, now, () => 0);
    const isLegacy = version !== '3.1';
    const limit =
      integerParameter(inputs, 'limit', { min: 1, ...(isLegacy && { max: maxLegacyLimit }) }) ??
      defaultLimit;
    const offset = integerParameter(inputs, 'offset', { min: 0 }) ?? 0;
    const statuses = alertStatuses.filter(isNamed(statusNamesOf(inputs, version)));
    const alerts: object[] = [];
    let place = 0;
    const audiences = statuses.length === 0 ? [] : audiencesOf(inputs, version, world);
    for (const alert of sentAlerts({ history: world.history, audiences, period, now })) {
      if (!statuses.includes(alert.status)) continue;
      if (place >= offset) alerts.push(actionEntry(alert, version));
      place += 1;
      if (place === offset + limit) break;
    }
    return { actions: { alerts } };
  },
};

/** The requested checks that have one of the requested recipients. */
function audiencesOf(inputs: Inputs, version: ApiVersion, world: World): Audience[] {
  const isAskedCheck = isNamed(integerListParameter(inputs, 'checkids'));
  const isAskedPerson = isNamed(integerListParameter(inputs, peopleFilter(version)));
  const isAskedMedium = isNamed(enumListParameter(inputs, 'via', alertMedia));
  return world.checks
    .filter(({ id }) => isAskedCheck(id))
    .map((check) => ({
      check,
      recipients: recipientsOf(check, world.people).filter(
        ({ id, via }) => isAskedPerson(id) && isAskedMedium(via),
      ),
    }))
    .filter(({ recipients }) => recipients.length > 0);
}

function peopleFilter(version: ApiVersion): string {
  return version === '2.0' ? 'contactids' : 'userids';
}

function statusNamesOf(inputs: Inputs, version: ApiVersion): string[] {
  const words = version === '2.0' ? statusNames : [...statusNames, pending];
  return enumListParameter(inputs, 'status', words).map((word) => word.replace('_', ''));
}

/** An empty list selects all. */
function isNamed<T>(names: readonly T[]): (name: T) => boolean {
  const set = new Set(names);
  return (name) => set.size === 0 || set.has(name);
}

const media: Readonly<Record<Channel, AlertMedium>> = {
  email: 'email',
  sms: 'sms',
  apns: 'pusha',
  agcm: 'pushb',
};

/**
 * The recipients of messages about a check: its users, its contacts and the members of its teams,
 * otherwise the owner of the account. Paused people get none; each other gets them at the addresses
 * for the severity of the check.
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
