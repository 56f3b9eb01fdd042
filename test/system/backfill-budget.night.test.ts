import { request } from 'undici';
import { expect, test } from 'vitest';
import { extent } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';

const hours = extent(2, 7);
/** A common plan: the long window allows 80 requests an hour. */
const limits = { shortLimit: 400, longLimit: 72_000 };
const reserve = 80;

/** Some hours of a large account, from its first minute on. */
async function observe(hasJob: boolean) {
  const exporter = await RestartableExporter.create({ checks: 200, transactions: 20, ...limits });
  const { journal, limits: windows } = exporter.sandbox;
  await exporter.start();
  await exporter.pass(300);
  if (hasJob) {
    const url = `${exporter.url}/-/backfill?from=${exporter.now - 365 * 86_400}`;
    const { statusCode, body } = await request(url, { method: 'POST' });
    await body.dump();
    expect(statusCode).toBe(202);
  }
  const left = windows.reading('long').remaining;
  let lowest = Number.POSITIVE_INFINITY;
  for (let minute = 0; minute < hours * 60; minute += 5) {
    await exporter.pass(300);
    lowest = Math.min(lowest, windows.reading('short').remaining);
  }
  const lists = journal.recent.filter(({ operation }) => operation === 'list_checks');
  const gaps = lists.slice(1).map(({ time }, place) => time - (lists[place]?.time ?? time));
  const { body } = await request(`${exporter.url}/-/backfill`);
  const read = Number(/"read":(\d+)/.exec(await body.text())?.[1] ?? 0);
  return {
    lowest,
    read,
    lists: lists.length,
    longestGap: Math.max(...gaps) / 1000,
    refused: journal.countOfStatus(429),
    spentAnHour: (left - windows.reading('long').remaining) / hours,
  };
}

test('a job leaves the reserve alone and the status data as fresh as without it', async () => {
  const without = await observe(false);
  const job = await observe(true);
  const seen = JSON.stringify({ without, job });
  expect(job.read, seen).toBeGreaterThan(extent(4, 10));
  expect(job.refused, seen).toBe(0);
  expect(job.lowest, seen).toBeGreaterThanOrEqual(reserve);
  // The job takes its requests from the other data, and sends none beyond the plan.
  expect(job.spentAnHour, seen).toBeLessThanOrEqual(without.spentAnHour * 1.05);
  expect(job.lists, seen).toBeGreaterThanOrEqual(without.lists * 0.99);
  expect(job.longestGap, seen).toBeLessThanOrEqual(without.longestGap + 10);
});
