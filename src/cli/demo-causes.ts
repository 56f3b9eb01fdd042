import { ApiError } from '../api/errors.ts';
import { bearerToken } from '../api/http/authentication.ts';
import { HttpClient } from '../api/http/client.ts';
import { createService } from '../api/versions.ts';
import type { memoryStorage } from '../app/open-storage.ts';
import { systemClock } from '../lib/clock.ts';
import { Scrubber, Secret } from '../lib/secret.ts';
import { indexName } from '../months/documents.ts';
import type { MonthOutage } from '../months/month-record.ts';
import { StoredMonths } from '../months/stored-months.ts';
import { causesOf, notesOfResults } from '../slo/last-outages.ts';

interface ExplainOptions {
  readonly account: string;
  readonly store: ReturnType<typeof memoryStorage>;
  /** Of the simulated service. */
  readonly url: string;
  readonly token: string;
}

/** The first failed tests of an outage have its causes. In seconds. */
const readSeconds = 600;
/** The longest time that it takes. A very large account then lacks causes of earlier months. */
const maxMilliseconds = 5_000;

/** Reads the causes of outages of checks that lack them, and stores them in their months. */
export async function explainOutages({
  account,
  store,
  url,
  token,
}: ExplainOptions): Promise<void> {
  const secret = new Secret(token);
  const transport = new HttpClient({
    baseUrl: url,
    version: '3.1',
    authentication: bearerToken(secret),
    gate: { admit: () => ({ release: () => undefined }) },
    clock: systemClock,
    scrubber: new Scrubber([secret]),
  });
  const service = createService({ version: '3.1', reader: transport });
  const end = systemClock.monotonic() + maxMilliseconds;
  const explained = async (checkId: number, outage: MonthOutage): Promise<MonthOutage> => {
    const { fromSeconds, toSeconds = Number.POSITIVE_INFINITY, causes } = outage;
    if (causes.length > 0 || systemClock.monotonic() > end) return outage;
    const range = { fromSeconds, toSeconds: Math.min(toSeconds, fromSeconds + readSeconds) };
    // Nothing aborts it. With one signal for all, Node.js warns of a leak.
    const { signal } = new AbortController();
    try {
      const { items } = await service.listResults({ checkId, ...range }, signal);
      return { ...outage, causes: causesOf(range, notesOfResults([], items), fromSeconds) };
    } catch (error) {
      if (error instanceof ApiError) return outage;
      throw error;
    }
  };
  const { documents } = await store.load(account);
  const months = new StoredMonths({
    account,
    readMonth: (batch) => store.readMonth({ ...batch, account }),
    storeDocuments: (changes) => store.commit({ account, documents: changes }),
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  });
  months.restore(documents.get(indexName));
  for (const month of months.months.toReversed()) {
    for await (const records of months.records(month)) {
      const changed = records.filter(({ kind, outages }) => kind === 'check' && outages.length > 0);
      for (const record of changed) {
        const outages = await Promise.all(record.outages.map((one) => explained(record.id, one)));
        await months.store(month, [{ ...record, outages }]);
      }
    }
  }
  await transport.close();
}
