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

const slow = { alertname: 'UptimeCheckSlow', severity: 'warning' };
const wasDown = { alertname: 'UptimeCheckWasDown', severity: 'info' };
const many = { ...common, alertname: 'UptimeManyChecksDown', severity: 'critical' };
const exporterDown = {
  job: 'uptime',
  instance: 'exporter:9158',
  alertname: 'UptimeExporterDown',
  severity: 'critical',
};

test.skipIf(missing('alertmanager'))('nothing silences anything', async () => {
  const alertmanager = await startAlertmanager();
  const alerts = [
    exporterDown,
    many,
    down(7),
    { ...down(7), instance: 'other:9158' },
    { ...check, ...slow },
    { ...check, ...wasDown },
  ];

  await alertmanager.post(alerts);

  const states = await alertmanager.states();
  expect(states).toHaveLength(alerts.length);
  expect(states.filter(({ state }) => state !== 'active')).toEqual([]);
});

test.skipIf(missing('alertmanager'))('the severity decides who is notified', async () => {
  const alertmanager = await startAlertmanager();

  await alertmanager.post([down(7), { ...check, ...slow }, { ...check, ...wasDown }]);

  const receiverOf = async (alertname: string) => {
    const has = ({ labels }: { labels: Labels }) => labels.alertname === alertname;
    return (await alertmanager.notified(({ alerts }) => alerts.some(has))).receiver;
  };
  expect(await receiverOf('UptimeCheckDown')).toBe('pager');
  expect(await receiverOf('UptimeCheckSlow')).toBe('chat');
  expect(await receiverOf('UptimeCheckWasDown')).toBe('tickets');
});

test.skipIf(missing('alertmanager'))(
  'what is not repeated after a restart is not known, so nothing resolves it',
  async () => {
    const alertmanager = await startAlertmanager();
    await alertmanager.post([down(7)]);
    await alertmanager.notified(() => true);

    await alertmanager.restarted();

    expect(await alertmanager.states()).toEqual([]);
  },
);
