import { type ApiVersion, apiVersions } from '../../domain/api-version.ts';
import type { Operation } from '../operation.ts';
import {
  type Inputs,
  integerListParameter,
  integerParameter,
  wordListParameter,
} from '../query-parameters.ts';
import type { World } from '../world.ts';
import { actionEntry } from './action-entry.ts';
import { alertMedia, alertStatuses } from './alert.ts';
import { periodOf } from './period.ts';
import { recipientsOf } from './recipients.ts';
import { type Audience, sentAlerts } from './sent-alerts.ts';

const defaultLimit = 100;
const largestLegacyLimit = 300;
const pending = 'pending';
const statusWords = ['sent', 'delivered', 'error', 'not_delivered', 'no_credits'] as const;

/**
 * `GET /actions` (API 3.1, sections 2.2 and 4.3; legacy versions, sections 2.2 and 4.2): newest first. The filter
 * writes two of the statuses with an underscore which the entries write without. No message stays pending.
 */
export const listActions: Operation = {
  name: 'actions',
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
      integerParameter(inputs, 'limit', { min: 1, ...(isLegacy && { max: largestLegacyLimit }) }) ??
      defaultLimit;
    const offset = integerParameter(inputs, 'offset', { min: 0 }) ?? 0;
    const statuses = alertStatuses.filter(isNamed(statusWordsOf(inputs, version)));
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

/** The checks asked about that have any of the recipients asked for: without one there is nothing to look for. */
function audiencesOf(inputs: Inputs, version: ApiVersion, world: World): Audience[] {
  const isAskedCheck = isNamed(integerListParameter(inputs, 'checkids'));
  const isAskedPerson = isNamed(integerListParameter(inputs, peopleFilter(version)));
  const isAskedMedium = isNamed(wordListParameter(inputs, 'via', alertMedia));
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

function statusWordsOf(inputs: Inputs, version: ApiVersion): string[] {
  const words = version === '2.0' ? statusWords : [...statusWords, pending];
  return wordListParameter(inputs, 'status', words).map((word) => word.replace('_', ''));
}

/** All are named when none is. */
function isNamed<T>(names: readonly T[]): (name: T) => boolean {
  const set = new Set(names);
  return (name) => set.size === 0 || set.has(name);
}
