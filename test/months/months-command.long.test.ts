import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { type MonthsFlags, readMonths } from '../../src/months/command/read-months.ts';
import { fakeExporter, itemWith } from '../backfill/support/fake-exporter.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { statesOnly } from '../support/states-only.ts';

interface RunOptions {
  /** The present time for the command, in UNIX milliseconds. */
  readonly now: number;
  readonly sleep?: () => Promise<void>;
  readonly untilStopped?: () => Promise<string>;
}

/** Runs `uptime-exporter months` and resolves with its output, or rejects with its error message. */
async function months(
  exporter: string,
  flags: Partial<MonthsFlags>,
  { now, sleep = async () => {}, untilStopped = () => new Promise(() => {}) }: RunOptions,
): Promise<string> {
  let output = '';
  const stderr = { write: (text: string) => (output += text) };
  const clock = { ...systemClock, now: () => now, sleep };
  await readMonths({ stderr, untilStopped }, { exporter, ...flags }, clock);
  return output;
}

const now = Date.parse('2026-11-20T12:00:00Z');

describe('uptime-exporter months', () => {
  test('asks for all months that are kept, and says when nothing is to be read', async () => {
    const { url, requests } = await fakeExporter([]);
    const output = await months(url, {}, { now });
    expect(output).toBe(
      'There is nothing to read: the exporter has watched every check and transaction since 2025-10 began, or since it was created.\n',
    );
    expect(requests).toEqual(['GET /-/backfill', 'GET /-/backfill?from=2025-10-01T00%3A00%3A00Z']);
  });

  test.each(['2025-09', '2026-12', '2026-13', '2026-05-01', ''])(
    'refuses the month %j, naming those that can be read',
    async (from) => {
      const { url } = await fakeExporter([]);
      await expect(months(url, { from }, { now })).rejects.toThrow(
        `--from must be a month from 2025-10 to 2026-11, not "${from}": 13 complete months are kept`,
      );
    },
  );

  test('asks for the account where there are several', async () => {
    const { url } = await fakeExporter([], ['shop', 'other']);
    await expect(months(url, {}, { now })).rejects.toThrow(
      'the exporter has several accounts: choose one of "shop", "other" with --account',
    );
  });

  test('has a running exporter read the months, with their price before', async () => {
    const exporter = await RestartableExporter.create({
      checks: 4,
      transactions: 1,
      datasets: statesOnly,
      timeZone: 'Europe/Berlin',
      startMilliseconds: Date.parse('2026-11-05T03:17:00Z'),
      wire: { attributes: 'present' },
    });
    await exporter.start();
    await exporter.pass(3_600);
    const options = { now: exporter.clock.now(), sleep: () => exporter.pass(300) };
    const plan = await months(exporter.url, { from: '2026-08' }, options);
    expect(plan).toMatch(
      /^Reading 4 checks and 1 transaction from 2026-08-01 00:00 UTC\+2 on takes 7 requests and about .* with the present budget\.\nNothing is read yet\. Run the same command with --yes to begin\.\n$/,
    );
    expect(await exporter.get('/-/backfill')).not.toContain('"job"');

    const flags = { from: '2026-08', yes: true };
    const output = await months(exporter.url, flags, options);
    expect(output).toContain('read 5 of 5\n');
    // One check was created in September.
    for (const [name, items] of [
      ['2026-08', 4],
      ['2026-09', 5],
      ['2026-10', 5],
    ] as const) {
      const address = `${exporter.url}/report?month=${name}`;
      expect(output).toContain(
        `${name}: ${items} checks and transactions, all known: ${address}\n`,
      );
    }
    const text = await exporter.get('/report.txt?month=2026-08');
    expect(text).toContain('Read afterwards: with the names, groups and objectives of 2026-11-05.');
  });

  test('begins where the first month does, also after a change of the time zone', async () => {
    const exporter = await RestartableExporter.create({
      checks: 4,
      transactions: 0,
      datasets: statesOnly,
      startMilliseconds: Date.parse('2026-11-20T03:17:00Z'),
      wire: { attributes: 'present' },
    });
    await exporter.start({ digest: 'unchanged' });
    await exporter.pass(3 * 3_600);
    exporter.timeZone = 'America/New_York';
    await exporter.reload({ digest: 'unchanged' });
    await exporter.pass(600);
    const options = { now: exporter.clock.now(), sleep: () => exporter.pass(300) };
    const output = await months(exporter.url, { from: '2026-10', yes: true }, options);
    expect(output).toContain(' from 2026-10-01 00:00 UTC on ');
    expect(output).toContain('2026-10: 4 checks and transactions, all known');
  });

  test('does not wait two minutes for each month before the first check', async () => {
    const { url } = await fakeExporter([itemWith({ id: 1 })]);
    let waits = 0;
    const sleep = async () => {
      waits += 1;
    };
    const output = await months(url, { yes: true }, { now, sleep });
    expect(output.match(/^2026-\d\d: nothing is known of it$/gm)).toHaveLength(10);
    expect(waits).toBe(24);
  });

  test('reports that another job of the account is running', async () => {
    const exporter = await RestartableExporter.create({
      checks: 4,
      datasets: statesOnly,
      startMilliseconds: Date.parse('2026-11-05T03:17:00Z'),
    });
    await exporter.start();
    await exporter.pass(3_600);
    await exporter.post('/-/backfill?from=2026-10-01');
    const flags = { from: '2026-08', yes: true };
    await expect(months(exporter.url, flags, { now: exporter.clock.now() })).rejects.toThrow(
      'responded with 409: No backfill: another backfill job of the account is running.',
    );
  });

  test('can be interrupted', async () => {
    const { url } = await fakeExporter([]);
    const untilStopped = async () => 'SIGINT';
    await expect(months(url, {}, { now, untilStopped })).rejects.toThrow(
      'interrupted; run the same command again to continue',
    );
  });
});
