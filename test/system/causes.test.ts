import { describe, expect, test } from 'vitest';
import { casesOf } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { sandboxToken } from '../support/sandbox-exporter.ts';

const [minute, hour] = [60, 3_600];
const outageMinutes = 12;

interface Shown {
  readonly from: number;
  readonly causes: string;
}

/** The outages of a check in the CSV file, newest first. */
async function outagesShown(exporter: RestartableExporter, id: number): Promise<readonly Shown[]> {
  const [head = '', ...lines] = (await exporter.get(`/outages.csv?check=${id}`))
    .trimEnd()
    .split('\r\n');
  const begin = head.split(',').indexOf('begin');
  return lines.map((line) => {
    const cells = line.split(',');
    return { from: Date.parse(cells[begin] ?? '') / 1000, causes: cells.at(-1) ?? '' };
  });
}

/** The causes of an outage as the service reports them to any client. */
async function causesAtService(
  { sandbox }: RestartableExporter,
  id: number,
  from: number,
): Promise<readonly string[]> {
  const query = new URLSearchParams({ from: `${from}`, to: `${from + outageMinutes * minute}` });
  for (;;) {
    const response = await fetch(`${sandbox.url}/api/3.1/results/${id}?${query}`, {
      headers: { authorization: `Bearer ${sandboxToken}` },
    });
    // A drawn wire refuses some requests.
    if (response.status !== 200) continue;
    const { results } = await response.json();
    const failed = results.filter(({ status }: { status: string }) => /down/i.test(status));
    return [
      ...new Set(failed.map(({ statusdesc }: { statusdesc: string }) => statusdesc)),
    ] as string[];
  }
}

function ask(exporter: RestartableExporter, query: string, accept = 'application/json') {
  return fetch(`${exporter.url}/-/causes?${query}`, {
    method: 'POST',
    headers: { accept },
    redirect: 'manual',
  });
}

/** An exporter that has just read the past of a check with an outage of hours ago. */
async function withPastOutage(seed: number) {
  const exporter = await RestartableExporter.create({
    ...{ checks: 3, transactions: 0, seed, shortLimit: 400, longLimit: 72_000 },
  });
  const { world, journal } = exporter.sandbox;
  const id = world.checks[0]?.id ?? 0;
  const start = exporter.now;
  world.plant({ checkId: id, status: 'up', from: start - 40 * 24 * hour, to: start + 48 * hour });
  const from = start - 5 * hour;
  world.plant({ checkId: id, status: 'down', from, to: from + outageMinutes * minute });
  await exporter.start();
  // In the first hour, no cause is read for the report.
  await exporter.pass(40 * minute);
  const requests = () => {
    const [results, analyses] = ['list_results', 'list_analyses'].map((operation) =>
      journal.countOfOperation(operation),
    );
    return (results ?? 0) + (analyses ?? 0);
  };
  const [outage] = await outagesShown(exporter, id);
  if (outage === undefined) throw new Error('the outage is not known');
  return { exporter, id, outage, requests };
}

describe('POST /-/causes', () => {
  test.each(casesOf([1, 2, 3, 4, 5, 6], 0, 1, 2))(
    'reads the causes of an outage from before the first day, with any wire (seed %i)',
    async (seed) => {
      const { exporter, id, outage } = await withPastOutage(seed);
      expect(outage.causes).toBe('');
      const page = `/accounts/shop/checks/${id}`;
      expect(await exporter.get(page)).toContain('Read the cause</button>');

      const query = `account=shop&check=${id}&from=${outage.from}`;
      const response = await ask(exporter, query);
      expect(response.status).toBe(202);
      expect(await response.json()).toMatchObject({ check: id, from: outage.from, requests: 2 });
      expect(await exporter.get(page)).toContain('is read as soon as the budget permits');
      await exporter.pass(30 * minute);

      const [shown] = await outagesShown(exporter, id);
      const truth = await causesAtService(exporter, id, outage.from);
      expect(truth).not.toEqual([]);
      expect(shown?.causes.split('; ').toSorted()).toEqual(truth.toSorted());
      expect(await exporter.get(page)).not.toContain('Read the cause</button>');
      const again = await ask(exporter, query);
      expect(again.status).toBe(200);
      expect((await again.json()).causes.toSorted()).toEqual(truth.toSorted());
    },
  );

  test('leads a browser back to the view of the check', async () => {
    const { exporter, id, outage } = await withPastOutage(1);

    const response = await ask(exporter, `check=${id}&from=${outage.from}`, 'text/html');

    expect(response.status).toBe(303);
    expect(new URL(response.headers.get('location') ?? '', response.url).pathname).toBe(
      `/accounts/shop/checks/${id}`,
    );
  });

  test('explains the outage in the present month, too', async () => {
    const { exporter, id, outage } = await withPastOutage(1);
    const month = new Date(exporter.now * 1000).toISOString().slice(0, 7);
    const causes = async () => {
      const report = JSON.parse(await exporter.get(`/report.json?month=${month}`));
      return report.outages.find((one: { id: number }) => one.id === id)?.causes;
    };
    expect(await causes()).toEqual([]);

    await ask(exporter, `check=${id}&from=${outage.from}`);
    await exporter.pass(30 * minute);

    expect(await causes()).toEqual(await causesAtService(exporter, id, outage.from));
  });

  test('waits for the budget like every other request, and leaves the reserve alone', async () => {
    const { exporter, id, outage, requests } = await withPastOutage(1);
    const { journal, limits } = exporter.sandbox;
    // The reserve is a fifth of 400 requests.
    limits.otherClientSpends(limits.reading('short').remaining - 70);
    await exporter.pass(5 * minute);
    const before = requests();

    const response = await ask(exporter, `check=${id}&from=${outage.from}`);
    await exporter.pass(10 * minute);

    expect(response.status).toBe(202);
    expect(requests()).toBe(before);
    await exporter.pass(2 * hour);
    const [shown] = await outagesShown(exporter, id);
    expect(shown?.causes).not.toBe('');
    expect(journal.countOfStatus(429)).toBe(0);
  });

  test('is forgotten by a crash in the same second, and can be asked again', async () => {
    const { exporter, id, outage } = await withPastOutage(1);
    const query = `check=${id}&from=${outage.from}`;
    await ask(exporter, query);
    await exporter.crash();
    await exporter.start();
    await exporter.pass(2 * minute);

    const [shown] = await outagesShown(exporter, id);
    expect(shown).toEqual(outage);
    expect((await ask(exporter, query)).status).toBe(202);
    await exporter.pass(30 * minute);
    expect((await outagesShown(exporter, id))[0]?.causes).not.toBe('');
  });
});
