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
    groupLabels: { job: 'uptime', account: 'warehouse' },
  });
});

interface Silencing {
  readonly by: Labels;
  readonly silenced: readonly Labels[];
  readonly heard: readonly Labels[];
}

const slow = { alertname: 'UptimeCheckSlow', severity: 'warning' };
const flapping = { alertname: 'UptimeCheckFlapping', severity: 'warning' };
const burn = (longWindow: string, severity: string) => ({
  alertname: 'UptimeCheckErrorBudgetBurn',
  severity,
  long_window: longWindow,
});
const otherInstance = { instance: 'other:9158' };

const cases: Readonly<Record<string, Silencing>> = {
  'an exporter that is down silences nothing': {
    by: {
      job: 'uptime',
      instance: 'exporter:9158',
      alertname: 'UptimeExporterDown',
      severity: 'critical',
    },
    silenced: [],
    heard: [down(7), { ...down(7), ...otherInstance }, { ...check, check_id: '8', ...slow }],
  },
  'many checks that are down silence no single one': {
    by: { ...common, alertname: 'UptimeManyChecksDown', severity: 'critical' },
    silenced: [],
    heard: [down(1), down(2), { ...down(1), account: 'other' }],
  },
  'a check that is down is not told to flap': {
    by: down(7),
    silenced: [{ ...check, ...flapping }],
    heard: [
      { ...check, ...slow },
      { ...check, ...burn('1h', 'critical') },
      { ...check, check_id: '8', ...flapping },
      { ...check, account: 'other', ...flapping },
      { ...check, ...otherInstance, ...flapping },
    ],
  },
  'the fast tier of a budget silences the slow ones of the same check': {
    by: { ...check, ...burn('1h', 'critical') },
    silenced: [
      { ...check, ...burn('6h', 'critical') },
      { ...check, ...burn('3d', 'warning') },
    ],
    heard: [
      { ...check, check_id: '8', ...burn('3d', 'warning') },
      { ...check, ...otherInstance, ...burn('6h', 'critical') },
    ],
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
    // The inhibitor learns of alerts a moment after they were accepted.
    const byLabels = (states: readonly Parameters<typeof sorted>[0][]) =>
      states.map((one) => JSON.stringify(sorted(one))).sort();
    await expect.poll(async () => byLabels(await alertmanager.states())).toEqual(byLabels(wanted));
  },
);

function sorted({ labels, state }: { labels: Labels; state: string }) {
  return { labels: Object.entries(labels).sort(), state };
}
