import { request } from 'undici';
import { expect, test } from 'vitest';
import { RestartableExporter } from '../support/restartable-exporter.ts';

const minute = 60;

test('an open outage is on the pages from its first list on, although no report of it can be read', async () => {
  const account = { datasets: { checks: { floorSeconds: 10 * minute } } };
  const exporter = await RestartableExporter.create({ checks: 2, transactions: 0, account });
  const { sandbox } = exporter;
  for (const { id: checkId } of sandbox.world.checks) {
    sandbox.world.plant({ checkId, status: 'up', from: exporter.now - 50 * 86_400 });
  }
  await exporter.start();
  await exporter.pass(25 * minute);
  sandbox.faults.inject({ kind: 'status-503', operation: 'list_outages' });
  const [check] = sandbox.world.checks;
  if (check === undefined) throw new Error('the sandbox has no check');
  const checkId = check.id;
  const from = exporter.now + 3 * minute;
  sandbox.world.plant({ checkId, status: 'down', from, to: from + 86_400 });
  await exporter.pass(40 * minute);

  const wordsAt = async (path: string) => {
    const { body } = await request(`${exporter.url}${path}`);
    return (await body.text()).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  };
  const truth = sandbox.history
    .segments(check, from - 600, exporter.now, exporter.now)
    .find(({ status }) => status === 'down');
  const began = new Date((truth?.from ?? 0) * 1000).toISOString().replace('T', ' ').slice(0, 19);
  expect(await wordsAt(`/accounts/shop/checks/${checkId}`)).toMatch(
    new RegExp(`Began Ended Lasted Why ${began} UTC \\d+ min(?: \\d+ s)? going on`),
  );
  expect(await wordsAt('/')).toMatch(/Last outages Check Began Lasted Why .* going on/);
});
