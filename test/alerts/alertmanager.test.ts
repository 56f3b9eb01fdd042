import { expect, test } from 'vitest';
import { missing } from '../support/tools.ts';
import { type Labels, startAlertmanager } from './alertmanager.ts';

const common = { job: 'uptime', instance: 'exporter:9158', account: 'warehouse' };
const check = { ...common, check_id: '7', name: 'Front page' };
const down = (id: number) => ({
  ...common,
  alertname: 'UptimeCheckDown',
  severity: 'critical',
  check_id: `${id}`,
});

test.skipIf(missing('alertmanager'))('a thousand checks down are one message', async () => {
  const alertmanager = await startAlertmanager();

  await alertmanager.post(Array.from({ length: 1000 }, (_, id) => down(id)));

  const message = await alertmanager.notified(() => true);
  expect(message.alerts).toHaveLength(1000);
  expect(message).toMatchObject({
    receiver: 'pager',
    groupLabels: { alertname: 'UptimeCheckDown', account: 'warehouse' },
  });
});

interface Silencing {
  readonly by: Labels;
  readonly silenced: readonly Labels[];
  readonly heard: readonly Labels[];
}

const slow = { alertname: 'UptimeCheckSlow', severity: 'warning' };
const burn = { alertname: 'UptimeCheckErrorBudgetBurn' };
const stale = {
  alertname: 'UptimeExporterDataStale',
  severity: 'critical',
  dataset: 'transactions',
};
const unreadable = { alertname: 'UptimeExporterAccountUnreadable', severity: 'critical' };

const cases: Readonly<Record<string, Silencing>> = {
  'an exporter that is down silences all but itself': {
    by: {
      job: 'uptime',
      instance: 'exporter:9158',
      alertname: 'UptimeExporterDown',
      severity: 'critical',
    },
    silenced: [down(7), { ...common, ...stale }],
    heard: [{ alertname: 'NodeDown', job: 'uptime', severity: 'critical' }],
  },
  'refused credentials explain an account that cannot be read': {
    by: { ...common, alertname: 'UptimeExporterUnauthorized', severity: 'critical' },
    silenced: [
      { ...common, ...stale },
      { ...common, ...unreadable },
    ],
    heard: [{ ...common, account: 'other', ...unreadable }, down(7)],
  },
  'an account that cannot be read explains stale data': {
    by: { ...common, ...unreadable },
    silenced: [{ ...common, ...stale }],
    heard: [{ ...common, account: 'other', ...stale }, down(7)],
  },
  'maintenance silences its check': {
    by: { ...check, alertname: 'UptimeCheckInMaintenance', severity: 'none' },
    silenced: [
      { ...check, ...slow },
      { ...check, ...burn, severity: 'critical' },
      { ...check, alertname: 'UptimeTransactionFailing', severity: 'critical' },
    ],
    heard: [
      { ...check, check_id: '8', ...slow },
      { ...common, ...stale },
    ],
  },
  'one cause for many checks silences the single ones': {
    by: { ...common, alertname: 'UptimeManyChecksDown', severity: 'critical' },
    silenced: [down(1), down(2), { ...check, ...burn, severity: 'critical' }],
    heard: [
      { ...down(1), account: 'other' },
      { ...common, ...stale },
    ],
  },
  'a check that is down is not told to be slow': {
    by: down(7),
    silenced: [
      { ...check, ...slow },
      { ...check, ...burn, severity: 'critical' },
    ],
    heard: [{ ...check, check_id: '8', ...slow }],
  },
  'the critical form silences the warning of the same name and check': {
    by: { ...check, ...burn, severity: 'critical', long_window: '1h' },
    silenced: [{ ...check, ...burn, severity: 'warning', long_window: '3d' }],
    heard: [{ ...check, check_id: '8', ...burn, severity: 'warning', long_window: '3d' }],
  },
};

test.skipIf(missing('alertmanager')).each(Object.entries(cases))(
  '%s',
  async (_, { by, silenced, heard }) => {
    const alertmanager = await startAlertmanager();
    await alertmanager.post([by]);

    await alertmanager.post([...silenced, ...heard]);

    const wanted = [by, ...heard, ...silenced].map((labels) => ({
      labels,
      state: silenced.includes(labels) ? 'suppressed' : 'active',
    }));
    const byLabels = (one: object) => JSON.stringify(one);
    const states = await alertmanager.states();
    expect(states.map(sorted).map(byLabels).sort()).toEqual(
      wanted.map(sorted).map(byLabels).sort(),
    );
  },
);

function sorted({ labels, state }: { labels: Labels; state: string }) {
  return { labels: Object.entries(labels).sort(), state };
}
