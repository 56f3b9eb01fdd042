import type { SandboxCheck } from '../../account/checks.ts';
import type { Channel, People, Person, Target } from '../../account/people.ts';
import type { World } from '../../account/world.ts';
import { enumListParameter, integerListParameter } from '../../server/parameters.ts';
import type { ApiVersion } from '../../vocabulary.ts';
import { page, period, selection, someOf } from '../readers.ts';
import { only, operation, type Reader } from '../table.ts';
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

/** Two of the statuses have an underscore in the filter, but not in the entries. */
const statuses: Reader<readonly string[]> = (inputs, name, { version }) => {
  const words = version === '2.0' ? statusNames : [...statusNames, pending];
  return enumListParameter(inputs, name, words).map((word) => word.replace('_', ''));
};

/**
 * API 3.1, sections 2.2 and 4.3; legacy versions, sections 2.2 and 4.2: newest first. No message
 * stays pending.
 */
export const listActions = operation(
  'list_actions',
  'GET /actions',
  'list the alerts that were sent',
  {
    period: period(),
    page: page(defaultLimit, (version) => (version === '3.1' ? {} : { limit: maxLegacyLimit })),
    checkids: integerListParameter,
    userids: only(['3.1', '2.1'], integerListParameter),
    contactids: only(['2.0'], integerListParameter),
    status: statuses,
    via: someOf(...alertMedia),
  },
  (given, { version, world, now }) => {
    const wanted = alertStatuses.filter(selection(given.status));
    const { limit, offset } = given.page;
    const alerts: object[] = [];
    let place = 0;
    const audiences = wanted.length === 0 ? [] : audiencesOf(given, world);
    for (const sent of sentAlerts({
      history: world.history,
      audiences,
      period: given.period,
      now,
    })) {
      const { check, event } = sent;
      if (!world.lags.isAlertListed(check.id, event.time, now)) continue;
      const isOpen = world.lags.isOutcomeOpen(check.id, event.time, now);
      const alert: SentAlert = isOpen ? { ...sent, status: 'sent' } : sent;
      if (!wanted.includes(alert.status)) continue;
      if (place >= offset) alerts.push(actionEntry(alert, version));
      place += 1;
      if (place === offset + limit) break;
    }
    return { actions: { alerts } };
  },
);

interface AudienceFilter {
  readonly checkids: readonly number[];
  readonly userids: readonly number[];
  readonly contactids: readonly number[];
  readonly via: readonly AlertMedium[];
}

/** The requested checks that have one of the requested recipients. */
function audiencesOf(given: AudienceFilter, world: World): Audience[] {
  const isAskedCheck = selection(given.checkids);
  const isAskedPerson = selection([...given.userids, ...given.contactids]);
  const isAskedMedium = selection(given.via);
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
  const members = people.teams.known(idsIn(settings.teamids)).flatMap((team) => team.memberIds);
  const ids = new Set([...idsIn(settings.userids), ...idsIn(settings.contactids), ...members]);
  const named = people.people.known([...ids]);
  return named.length > 0 ? named : people.people.all.filter(({ owner }) => owner);
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
