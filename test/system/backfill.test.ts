import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { decodeStates } from '../../src/history/past-states.ts';
import { type PastItem, pastItemSchema } from '../../src/history/past-item.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { checkStates, transactionStatesTruth } from '../support/service-truth.ts';

const yearSeconds = 365 * 86_400;

const progress = z.object({
  accounts: z.array(
    z.object({
      account: z.string(),
      job: z.object({ state: z.string(), items: z.number(), read: z.number() }).optional(),
      cost: z.object({ requests: z.number(), seconds: z.number().optional() }).optional(),
    }),
  ),
});

async function call(exporter: RestartableExporter, method: 'GET' | 'POST', path: string) {
  const { statusCode, body } = await request(`${exporter.url}${path}`, { method });
  return { statusCode, text: await body.text() };
}

async function jobOf(exporter: RestartableExporter) {
  const { text } = await call(exporter, 'GET', '/-/backfill');
  return progress.parse(JSON.parse(text)).accounts[0]?.job;
}

async function itemsOf(exporter: RestartableExporter): Promise<PastItem[]> {
  const { text } = await call(exporter, 'GET', '/-/backfill/items');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => pastItemSchema.parse(JSON.parse(line)));
}

/** Lets time pass until the job is done, for some hours at most. */
async function untilDone(exporter: RestartableExporter): Promise<void> {
  for (let hour = 0; hour < 48; hour++) {
    if ((await jobOf(exporter))?.state === 'done') return;
    await exporter.pass(3_600);
  }
  throw new Error('the backfill job did not end');
}

/** The outage reports that were asked for over more than a month, by path and query. */
function longReports({ sandbox }: RestartableExporter): string[] {
  return sandbox.journal.entries
    .filter(({ operation }) => operation === 'list_outages')
    .map(({ url }) => url)
    .filter((url) => {
      const query = new URL(url, 'http://sandbox').searchParams;
      return Number(query.get('to')) - Number(query.get('from')) > 36 * 86_400;
    });
}

describe('a backfill job', () => {
  test('reads the states before the first sight of every check and transaction, as the service knows them', async () => {
    const exporter = await RestartableExporter.create({ checks: 12, transactions: 3 });
    await exporter.start();
    await exporter.pass(7_200);
    const from = exporter.now - yearSeconds;
    const begun = await call(exporter, 'POST', `/-/backfill?from=${from}`);
    expect(begun.statusCode).toBe(202);
    await untilDone(exporter);

    const items = await itemsOf(exporter);
    expect(items).toHaveLength(15);
    for (const { kind, id, past, firstSeenSeconds, labels, labelsNow } of items) {
      if (past === undefined) throw new Error(`${kind} ${id} was not read`);
      expect(past.toSeconds).toBe(firstSeenSeconds);
      expect(labels).toEqual(labelsNow);
      const truth =
        kind === 'check'
          ? checkStates(exporter.sandbox, id, past, exporter.now)
          : transactionStatesTruth(exporter.sandbox, id, past, exporter.now);
      const spans = decodeStates(past.states, past.fromSeconds);
      const seconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
      for (const span of spans) seconds[span.state] += span.toSeconds - span.fromSeconds;
      expect({ kind, id, seconds }).toEqual({ kind, id, seconds: truth.seconds });
    }
  });
});
