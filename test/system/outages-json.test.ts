import { request } from 'undici';
import { expect, test } from 'vitest';
import { reportedStates } from '../../sandbox/src/simulation/transaction-states.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';

const hour = 3_600;
const day = 24 * hour;

interface Reported {
  readonly time: number;
  readonly timeEnd: number;
  readonly kind: string;
  readonly title: string;
  readonly checkId?: number;
  readonly transactionId?: number;
  readonly ongoing?: boolean;
}

interface Span {
  readonly status: string;
  readonly from: number;
  readonly to: number;
}

/** Adjacent entries "down" are one outage. */
function outagesOf(spans: readonly Span[]): Span[] {
  const outages: Span[] = [];
  for (const span of spans) {
    if (span.status !== 'down') continue;
    const last = outages.at(-1);
    if (last?.to === span.from) outages[outages.length - 1] = { ...last, to: span.to };
    else outages.push(span);
  }
  return outages;
}

/** An open outage ends at the exporter's horizon. */
const spanText = (id: string, from: number, to: number | 'now') => `${id}: ${from} to ${to}`;

test('the outages and the maintenance of the response are those of the service', async () => {
  const exporter = await RestartableExporter.create({ seed: 2, checks: 16, transactions: 3 });
  const start = exporter.now;
  for (const { id: checkId } of exporter.sandbox.world.transactions.all) {
    exporter.sandbox.world.plant({ checkId, status: 'up', from: start - day });
  }
  const failing = exporter.sandbox.world.transactions.all[1]?.id ?? 0;
  const [failsAt, endsAt] = [start + 0.2 * hour, start + 0.6 * hour];
  exporter.sandbox.world.plant({ checkId: failing, status: 'down', from: failsAt, to: endsAt });
  await exporter.start();
  await exporter.pass(1.5 * hour);
  const { sandbox, now } = exporter;
  const [from, to] = [now - 10 * day, now + day];
  const read = async (query: string) => {
    const { body } = await request(`${exporter.url}/outages.json?${query}`);
    return (await body.json()) as Reported[];
  };
  const before = sandbox.journal.total;
  const told = await read(`from=${from}&to=${to * 1000}`);
  expect(sandbox.journal.total).toBe(before);

  const shown = (kind: 'check' | 'transaction') =>
    told.flatMap((entry) => {
      const id = kind === 'check' ? entry.checkId : entry.transactionId;
      if (entry.kind !== 'outage' || id === undefined) return [];
      const end = entry.ongoing === true ? 'now' : entry.timeEnd / 1000;
      return [spanText(`${id}`, entry.time / 1000, end)];
    });
  const truth = sandbox.world.checks.flatMap((check) =>
    outagesOf(sandbox.history.segments(check, now - 35 * day, now, now))
      .filter((span) => span.to > from)
      .map((span) => spanText(`${check.id}`, span.from, span.to === now ? 'now' : span.to)),
  );
  expect(truth.length).toBeGreaterThan(10);
  expect(shown('check').sort()).toEqual(truth.sort());

  const range = { from: now - 35 * day, to: now };
  const runs = sandbox.world.transactions.all.flatMap((transaction) =>
    outagesOf(reportedStates(sandbox.history, transaction, range, now, sandbox.world.wire))
      .filter((span) => span.to > from)
      .map((span) => spanText(`${transaction.id}`, span.from, span.to)),
  );
  expect(runs.length).toBeGreaterThan(1);
  expect(shown('transaction').sort()).toEqual(runs.sort());

  const { occurrencesInOrder } = sandbox.world.maintenance;
  const maintenance = occurrencesInOrder
    .filter((occurrence) => occurrence.to > from && occurrence.from < to)
    .map((occurrence) => spanText('maintenance', occurrence.from, occurrence.to));
  expect(maintenance.length).toBeGreaterThan(1);
  expect(
    told
      .filter(({ kind }) => kind === 'maintenance')
      .map(({ time, timeEnd }) => spanText('maintenance', time / 1000, timeEnd / 1000))
      .sort(),
  ).toEqual(maintenance.sort());
});
