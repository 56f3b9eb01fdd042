import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { missing } from '../support/tools.ts';
import { PostgresPair, pairDatabase } from './support/postgres-pair.ts';

async function startPair(): Promise<PostgresPair> {
  const pair = await PostgresPair.start();
  onTestFinished(() => pair.stop());
  await pair.query('CREATE TABLE public.facts (fact text)');
  await pair.query('GRANT ALL ON public.facts TO uptime');
  return pair;
}

/** As an exporter commits: it waits for the standby. */
async function commit(pair: PostgresPair, fact: string): Promise<void> {
  const client = new pg.Client({ connectionString: pair.urlAt(pair.port) });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('INSERT INTO public.facts VALUES ($1)', [fact]);
  } finally {
    await client.end().catch(() => {});
  }
}

async function facts(pair: PostgresPair): Promise<unknown[]> {
  const rows = await pair.query('SELECT fact FROM public.facts ORDER BY fact', pairDatabase);
  return rows.map(({ fact }) => fact);
}

describe.skipIf(missing('initdb'))('a primary with a synchronous standby', () => {
  test('loses no acknowledged commit when it fails over, twice', async () => {
    const pair = await startPair();
    await commit(pair, 'first');
    await pair.failOver();
    expect(await facts(pair)).toEqual(['first']);
    await commit(pair, 'second');
    await pair.failOver();
    expect(await facts(pair)).toEqual(['first', 'second']);
  });

  test('acknowledges nothing while the standby is paused, and loses it when it fails then', async () => {
    const pair = await startPair();
    pair.pauseStandby();
    const outcome = commit(pair, 'held').then(
      () => 'acknowledged',
      () => 'lost',
    );
    // It is in the database, and waits for the standby.
    await expect
      .poll(() => pair.query("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'"))
      .toHaveLength(1);
    await pair.failOver();
    expect(await outcome).toBe('lost');
    expect(await facts(pair)).toEqual([]);
  });

  test('acknowledges when the standby goes on', async () => {
    const pair = await startPair();
    pair.pauseStandby();
    const committed = commit(pair, 'held');
    await expect
      .poll(() => pair.query("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'"))
      .toHaveLength(1);
    pair.resumeStandby();
    await committed;
    expect(await facts(pair)).toEqual(['held']);
  });
});
