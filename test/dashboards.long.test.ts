import { expect, test } from 'vitest';
import { z } from 'zod';
import { reference } from '../dashboards/source/selectors.ts';
import { sloPolicyOf } from '../src/config/objectives-schema.ts';
import { ServedFamilies } from '../src/exposition/catalogue/served-families.ts';
import { rightlyEmpty } from './alerts/rightly-empty.ts';
import { boards } from './support/boards.ts';
import { planMaintenance } from './support/plan-maintenance.ts';
import { startPrometheus } from './support/prometheus.ts';
import { sandboxAccount } from './support/sandbox-exporter.ts';
import { missing } from './support/tools.ts';
import { startWatchedSandbox, type WatchedSandbox } from './support/watched-sandbox.ts';

/** A panel needs it in addition to `metrics: lean`. */
const recipients = 'uptime_check_notification_recipients';

/** Variables replaced as Grafana does for the choice All. */
function filled(expression: string): string {
  return expression
    .replaceAll(/"\$(job|instance|account|check)"/g, '".+"')
    .replaceAll('"$owner"', '"shop"')
    .replaceAll('$__rate_interval', '1m')
    .replaceAll('$__interval_ms', '60000')
    .replaceAll('$__interval', '1m')
    .replaceAll('$__range', '1m')
    .replaceAll(reference('results_span'), '60')
    .replaceAll(reference('__to:date:seconds'), `${Math.floor(Date.now() / 1000)}`)
    .replaceAll(/\$__(from|to)\b/g, (_, limit) => (limit === 'from' ? '0' : '2000000000000'));
}

test.skipIf(missing('prometheus'))(
  'every expression of a panel and a variable has series in a real Prometheus',
  async () => {
    const watched = await startWatchedSandbox({
      configuration: (url) => ({
        accounts: [sandboxAccount({ url })],
        served: new ServedFamilies({ mode: 'lean', include: [recipients] }),
        slo: sloPolicyOf({}, { named: [{ name: 'shop', names: ['*'] }] }),
      }),
    });
    await watched.pass(3 * 3_600_000);
    trouble(watched);
    await watched.pass(3_600_000);
    const prometheus = await startPrometheus(new URL(watched.url).host);
    await watched.pass(600_000);
    await prometheus.eventually('uptime_check_error_budget_remaining_ratio offset 3s');

    const ofPanels = boards.flatMap(({ expressions }) => expressions);
    const ofVariables = boards.flatMap(({ board }) =>
      board.templating.list.flatMap((one) => {
        const definition = z.string().optional().parse(one.definition);
        const [, expr] =
          definition?.match(/^(?:label_values|query_result)\((.*?)(?:, \w+)?\)$/s) ?? [];
        return expr ?? [];
      }),
    );
    let empty = [...new Set([...ofPanels, ...ofVariables])];
    // Without series for a moment after a scrape that was too slow.
    const stillEmpty = async () => {
      const expressions = empty;
      empty = [];
      for (const expression of expressions) {
        const samples = await prometheus.query(filled(expression));
        if (samples.length === 0 && !rightlyEmpty(expression)) empty.push(expression);
      }
      return empty;
    };
    await expect.poll(stillEmpty).toEqual([]);
  },
);

/** A check and a transaction that are down, and a check that is down in maintenance, from now on. */
function trouble({ sandbox: { world }, clock }: WatchedSandbox): void {
  const from = Math.floor(clock.now() / 1000);
  // Panels compare with the clock of Prometheus, which is at most years ahead of the virtual one.
  const to = from + 10 * 365 * 86_400;
  const [, down, maintained] = world.checks;
  const [transaction, maintainedTransaction] = world.transactions.all;
  if (!down || !maintained || !transaction || !maintainedTransaction)
    throw new Error('the account is too small');
  world.plant({ checkId: down.id, status: 'down', from });
  world.plant({ checkId: maintained.id, status: 'down', from });
  world.plant({ checkId: transaction.id, status: 'down', from });
  const [uptimeids, tmsids] = [[maintained.id], [maintainedTransaction.id]];
  planMaintenance(world, { from, to, uptimeids, tmsids });
}
