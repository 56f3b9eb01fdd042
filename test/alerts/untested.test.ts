import { expect, test } from 'vitest';
import { defaultParameters } from '../../src/rules/parameters.ts';
import { alertRules } from '../../src/rules/render-rules.ts';
import { ruleSetNames } from '../../src/rules/rule-sets.ts';
import { extent } from '../support/extent.ts';
import { describeWith, promtools, shareOf } from '../support/promtools.ts';
import { type AlertCase, ofAccount, ofCheck, ruleCase, series } from './alert-case.ts';
import { checkCases } from './check-cases.ts';
import { otherCases } from './other-cases.ts';
import { testCases } from './promtool-rules.ts';

/** Minutes: longer than every case. */
const always = '1x4000';
const one = (name: string, labels: Readonly<Record<string, string>> = {}) => ({
  [series(name, labels)]: always,
});
const ofGroup = { ...ofAccount, group: 'checkout' };
const group = (status: string, value: string) => ({
  [series('uptime_group_checks', { status }, ofGroup)]: value,
});

/** What the exporter serves of an item that is not tested; every check of the group is in this state. */
const untested = {
  paused: {
    ...one('uptime_check_status', { status: 'paused' }),
    ...one('uptime_check_paused'),
    [series('uptime_transaction_active')]: '0x4000',
    ...group('paused', '2x4000'),
    ...group('up', '0x4000'),
  },
  'in maintenance': {
    ...one('uptime_check_in_maintenance'),
    ...one('uptime_transaction_in_maintenance'),
  },
  unknown: {
    ...one('uptime_check_status', { status: 'unknown' }),
    ...one('uptime_transaction_status', { status: 'unknown' }),
    ...group('unknown', '2x4000'),
    ...group('up', '0x4000'),
  },
};
type Untested = keyof typeof untested;
const states = Object.keys(untested) as readonly Untested[];

/** The alerts that may fire for what is not tested, and why; in every state if none is named. */
const exceptions: Readonly<Record<string, { because: string; only?: Untested }>> = {
  UptimeCheckDown: { because: 'the exporter closes the outage, but not while unknown' },
  UptimeTransactionFailing: { because: 'the exporter closes the outage, but not while unknown' },
  UptimeCheckPausedTooLong: { because: 'it is about the pause' },
  UptimeCheckInMaintenanceTooLong: { because: 'it is about the window' },
  UptimeCheckDownInMaintenance: { because: 'it is about the window' },
  UptimeCheckUnknown: { because: 'it is about the status unknown' },
  UptimeCheckNotifiesNobody: { because: 'it is about a setting' },
  UptimeCheckErrorBudgetBurn: {
    because: 'a nightly window would repeat the ticket every day',
    only: 'in maintenance',
  },
  UptimeTransactionErrorBudgetBurn: {
    because: 'a nightly window would repeat the ticket every day',
    only: 'in maintenance',
  },
  UptimeGroupErrorBudgetBurn: {
    because: 'no series has the number of checks of a group in maintenance',
    only: 'in maintenance',
  },
};
const mayFire = (alert: string, state: Untested) => {
  const exception = exceptions[alert];
  return exception !== undefined && (exception.only ?? state) === state;
};

const isOfItem = ({ fired: { labels } }: AlertCase) =>
  labels.check_id === ofCheck.check_id || labels.group === ofGroup.group;
const tried = [...checkCases, ...otherCases].filter(isOfItem);
const quiet = tried.flatMap(({ alert, when, input, firing }) =>
  states
    .filter((state) => !mayFire(alert, state))
    .map((state) =>
      ruleCase({
        alert,
        when: `${when}, but it is ${state}`,
        input: { ...input, ...untested[state] },
        at: [firing],
      }),
    ),
);

const tools = promtools();
describeWith(tools)('what is not tested has no alert, by promtool $version', ({ path }) => {
  testCases(path, extent(shareOf(quiet, path, tools), quiet));
});

test('every alert about an item or a group is tried', () => {
  const rules = alertRules({ ...defaultParameters, with: ruleSetNames });
  const ofItems = rules.filter(({ alert }) => /^Uptime(Check|Transaction|Group)[A-Z]/.test(alert));
  const names = new Set(tried.map(({ alert }) => alert));

  expect(ofItems.map(({ alert }) => alert).filter((name) => !names.has(name))).toEqual([]);
});

test('every exception is an alert', () => {
  const names = tried.map(({ alert }) => alert);

  expect(Object.keys(exceptions).filter((name) => !names.includes(name))).toEqual([]);
});
