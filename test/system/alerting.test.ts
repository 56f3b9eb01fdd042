import { expect, test } from 'vitest';
import { isAlert } from '../../alerts/source/rule.ts';
import { ruleFile } from '../../alerts/source/rule-files.ts';
import { ruleGroups } from '../../alerts/source/rule-groups.ts';
import { type Notification, startAlertmanager } from '../alerts/alertmanager.ts';
import { startPrometheus } from '../support/prometheus.ts';
import { missing } from '../support/tools.ts';
import { startWatchedSandbox } from '../support/watched-sandbox.ts';

const minutes = 60_000;

/** The delivered rules, each waiting for a second only. */
const impatient = ruleFile(
  ruleGroups.map(({ name, rules }) => ({
    name,
    rules: rules.map((rule) =>
      isAlert(rule) && rule.for !== undefined ? { ...rule, for: '1s' } : rule,
    ),
  })),
);

test.skipIf(missing('prometheus') || missing('alertmanager'))(
  'an outage arrives as one notification and resolves, and does not arrive during maintenance',
  { timeout: 90_000 },
  async () => {
    const watched = await startWatchedSandbox();
    const { world } = watched.sandbox;
    const now = () => Math.floor(watched.clock.now() / 1000);
    for (const { id } of world.checks) world.plant({ checkId: id, status: 'up', from: now() });
    const [, failing, maintained] = world.checks;
    if (failing === undefined || maintained === undefined) throw new Error('too few checks');
    world.maintenance.add({
      description: 'Move to the new data centre',
      from: now() + 600,
      to: now() + 86_400,
      recurrencetype: 'none',
      repeatevery: 0,
      effectiveto: now() + 86_400,
      uptimeids: [maintained.id],
      tmsids: [],
    });
    await watched.pass(30 * minutes);
    const alertmanager = await startAlertmanager();
    const target = new URL(watched.url).host;
    const prometheus = await startPrometheus(target, {
      rules: [impatient],
      alertmanager: alertmanager.address,
    });
    await prometheus.eventually('uptime_check_status{status="down"}');

    for (const { id } of [failing, maintained]) {
      world.plant({ checkId: id, status: 'down', from: now() });
    }
    await watched.pass(15 * minutes);

    const ofDown = ({ groupLabels }: Notification) => groupLabels.alertname === 'UptimeCheckDown';
    const firing = await alertmanager.notified(ofDown);
    const { name, hostname } = failing;
    const labels = {
      alertname: 'UptimeCheckDown',
      severity: 'critical',
      status: 'down',
      job: 'uptime',
      instance: target,
      account: 'shop',
      check_id: `${failing.id}`,
      check_type: 'httpcustom',
      name,
      hostname,
    };
    const annotations = {
      summary: `${name} is down`,
      description: `The service finds ${name} (${hostname}, account shop) down, confirmed by a second test. It is neither paused nor in maintenance.`,
      runbook_url: 'https://example.com/uptime-exporter/docs/runbook.md#uptimecheckdown',
    };
    expect(firing).toMatchObject({ receiver: 'shop-pager', status: 'firing' });
    expect(firing.alerts).toEqual([{ status: 'firing', labels, annotations }]);
    const held = await prometheus.query(
      `uptime_check_status{status="down", check_id="${maintained.id}"} == 1`,
    );
    expect(held).toHaveLength(1);

    for (const { id } of [failing, maintained]) {
      world.plant({ checkId: id, status: 'up', from: now() });
    }
    await watched.pass(15 * minutes);

    await alertmanager.notified((one) => ofDown(one) && one.status === 'resolved');
    const sent = alertmanager.sent.filter(ofDown);
    expect(sent.map(({ status }) => status)).toEqual(['firing', 'resolved']);
    expect(sent[1]?.alerts).toMatchObject([{ status: 'resolved', labels, annotations }]);
  },
);
