import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PastItem } from '../../../src/backfill/series/past-item.ts';
import { onSmallDisk, smallDisk } from '../../store/support/small-disk.ts';
import { temporaryFolder } from '../../store/support/temporary-folder.ts';
import { findTool, missing } from '../../support/tools.ts';
import {
  day,
  type FakeExporter,
  fakeExporter,
  from,
  itemWith,
  nowSeconds,
} from '../support/fake-exporter.ts';
import { runBackfill } from '../support/run-backfill.ts';

/** A fixed time, because the steps of a history depend on the hour. */
const now = nowSeconds * 1_000;
const label = ['job=uptime', 'instance=a:1'];
const flagsFor = async ({ url }: Pick<FakeExporter, 'url'>) => ({
  ...{ exporter: url, from: `${from}`, label, output: join(await temporaryFolder(), 'history') },
});

/** Hourly average response times in milliseconds. */
function hoursFrom(startAtSeconds: number, ...averages: number[]) {
  const milliseconds = Buffer.from(new Uint16Array(averages).buffer).toString('base64');
  return { startAtSeconds, milliseconds };
}

function contentsOf(folder: string): Record<string, string> {
  const names = readdirSync(folder).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

describe('the command backfill', () => {
  test('shows the cost of a history, and with --plan does nothing else', async () => {
    const exporter = await fakeExporter([itemWith({ id: 1 }), itemWith({ id: 2 })]);
    const told = await runBackfill({ exporter: exporter.url, from: `${from}`, plan: true });
    expect(told).toContain('Reading 2 checks and 0 transactions');
    expect(told).toContain('takes 4 requests and about 2 h');
    expect(exporter.requests.every((request) => request.startsWith('GET '))).toBe(true);
  });

  test.each([
    // Of two checks: 5 to 9 series by the hour before the last 30 days, and 7 to 20 of 5 minutes in
    // them, without and with outages and maintenance.
    ['a year that ended 60 days ago', [425, 60], [365 * 24 * 5 * 2, 365 * 24 * 9 * 2]],
    [
      'ten days, the last two of which are among the last 30',
      [38, 28],
      [(8 * 24 * 5 + 2 * 288 * 7) * 2, (8 * 24 * 9 + 2 * 288 * 20) * 2],
    ],
  ])('shows the size of %s', async (_, [first = 0, last = 0], [least = 0, most = 0]) => {
    const { url } = await fakeExporter([itemWith({ id: 1 }), itemWith({ id: 2 })]);
    const at = (ago: number) => new Date((nowSeconds - ago * day) * 1_000).toISOString();
    const flags = { exporter: url, from: at(first), to: at(last), plan: true };
    const told = await runBackfill(flags, { now });
    expect(told).toContain(`from ${at(first)} to ${at(last)} takes`.replaceAll('.000Z', 'Z'));
    expect(told).toContain(`about ${least.toLocaleString('en')} samples`);
    expect(told).toContain(`up to ${most.toLocaleString('en')}: `);
  });

  test('with --plan reports that there is nothing to read', async () => {
    const { url } = await fakeExporter([]);
    const told = await runBackfill({ exporter: url, from: `${from}`, plan: true });
    expect(told).toBe(
      'There is nothing to read: in that time the exporter has watched every check and transaction that existed.\n',
    );
  });

  test.each([
    ['no labels', { label: [] }, 'give --prometheus URL'],
    ['a label that is no pair', { label: ['job:uptime'] }, 'expected NAME=VALUE'],
    ['an address without http', { prometheus: 'localhost:9090' }, 'must begin with http'],
  ])('with %s asks the exporter for nothing to be read', async (_, flags, message) => {
    const exporter = await fakeExporter([itemWith({ id: 1 })]);
    await expect(runBackfill({ ...(await flagsFor(exporter)), ...flags })).rejects.toThrow(message);
    expect(exporter.requests.filter((request) => request.startsWith('POST '))).toEqual([]);
  });

  test('without a folder asks for nothing at all', async () => {
    const exporter = await fakeExporter([itemWith({ id: 1 })]);
    const { output: _, ...flags } = await flagsFor(exporter);
    await expect(runBackfill(flags)).rejects.toThrow('--output FOLDER is missing');
    expect(exporter.requests).toEqual([]);
  });

  test('with --plan gives up at once where no exporter responds, and otherwise reports that it tries again', async () => {
    const [url, patient] = ['http://127.0.0.1:1', await fakeExporter([itemWith({ id: 1 })])];
    await expect(runBackfill({ exporter: url, from: `${from}`, plan: true })).rejects.toThrow(
      'cannot reach the exporter at http://127.0.0.1:1',
    );
    patient.failures.push(503);
    const told = await runBackfill(await flagsFor(patient));
    expect(told).toMatch(/responded with 503: .*; trying again for ten minutes/);
  });

  test('writes one file for each day, which promtool accepts', async (context) => {
    const exporter = await fakeExporter([itemWith({ id: 1 })]);
    const flags = await flagsFor(exporter);
    const told = await runBackfill(flags);
    expect(told).toContain('this query must return nothing');
    const files = contentsOf(flags.output);
    const days = [0, 1, 2].map((d) => new Date((from + d * day) * 1000).toISOString().slice(0, 10));
    expect(Object.keys(files)).toEqual([
      '.lock',
      ...days.map((d) => `${d}.om`),
      'backfill.json',
      'items.ndjson',
    ]);
    const last = files[`${days[2]}.om`] ?? '';
    const seam = from + 2 * day + 17;
    const series = 'account="shop",check_id="1",name="Check 1"';
    expect(last).toContain(
      `uptime_check_state_seconds_total{${series},state="down",job="uptime",instance="a:1"} 120 ${seam - 0.001}\n`,
    );
    expect(last).toContain(
      `uptime_check_outages_total{${series},job="uptime",instance="a:1"} 0 ${seam}\n`,
    );
    expect(last.endsWith('# EOF\n')).toBe(true);
    context.skip(missing('promtool'));
    for (const name of Object.keys(files).filter((file) => file.endsWith('.om'))) {
      const command = ['tsdb', 'create-blocks-from', 'openmetrics', join(flags.output, name)];
      execFileSync(findTool('promtool') ?? '', [...command, await temporaryFolder()]);
    }
  });

  test('writes response times by the hour where they are asked for, from the end of each hour on', async () => {
    const { url } = await fakeExporter([
      itemWith({ id: 1, responseTimes: [hoursFrom(from, 250, 0, 300)] }),
      itemWith({ id: 2 }),
    ]);
    const flags = { ...(await flagsFor({ url })), responseTimes: true };
    const told = await runBackfill(flags, { now });
    expect(told).toContain('The service did not report the response times of 1 of 2 checks.');
    expect(told).toContain('Where the service allows only a week');
    const name = 'uptime_check_hourly_average_response_time_seconds';
    const text = Object.values(contentsOf(flags.output)).join('');
    const samples = [...text.matchAll(new RegExp(`^${name}\\{(.*)\\} (.*) (.*)$`, 'gm'))];
    const minutes = (count: number) => count * 60;
    const expected = [
      ...Array.from({ length: 12 }, (_, place) => ['0.25', from + minutes(60 + 5 * place)]),
      ...Array.from({ length: 12 }, (_, place) => ['0.3', from + minutes(180 + 5 * place)]),
    ];
    expect(samples.map(([, , value, at]) => [value, Number(at)])).toEqual(expected);
    const labels = 'account="shop",check_id="1",name="Check 1",job="uptime",instance="a:1"';
    expect(new Set(samples.map(([, found]) => found))).toEqual(new Set([labels]));
    await expect(runBackfill({ ...flags, responseTimes: false })).rejects.toThrow(
      'holds another history (responseTimes is true, not false)',
    );
  });

  test('names each check that it does not write, and why', async () => {
    const labels = { name: 'Old', team_name: '' };
    const items = [
      itemWith({ id: 1 }),
      itemWith({ id: 2, labels, labelsNow: { name: 'New', team_name: 'pay' } }),
      itemWith({ id: 3, firstSeenSeconds: nowSeconds - 3_600 }),
      { ...itemWith({ id: 4 }), labelsNow: undefined },
      { ...itemWith({ id: 5 }), past: undefined, refusal: 'the service responded with 403' },
    ].map((item) => JSON.parse(JSON.stringify(item)) as PastItem);
    const flags = await flagsFor(await fakeExporter(items));
    const told = await runBackfill(flags);
    expect(told).toContain('Not written: 4 checks or transactions.');
    expect(told).toContain(
      'check 2 (New): its labels have changed since it was first seen, so its history would count twice: name was "Old" and is "New", team_name was "" and is "pay"',
    );
    const free = new Date((nowSeconds - 3_600 + 3 * 3_600) * 1000).toISOString().slice(0, 16);
    expect(told).toMatch(new RegExp(`check 3 .*can be written from ${free}`));
    expect(told).toContain('check 4 (Check 4): it is no longer listed');
    expect(told).toContain(
      'check 5 (Check 5): the service refused to report it: the service responded with 403',
    );
    const text = Object.values(contentsOf(flags.output)).join('');
    expect(text).toContain('check_id="1"');
    expect(text.match(/check_id="[2-5]"/)).toBeNull();
  });

  test('continues where it was interrupted: the same files, and nothing is asked for again', async () => {
    const items = [1, 2, 3].map((id) => itemWith({ id }));
    const whole = await flagsFor(await fakeExporter(items));
    await runBackfill(whole, { now });
    const exporter = await fakeExporter(items);
    const flags = await flagsFor(exporter);
    await runBackfill(flags, { now });
    const asked = exporter.requests.length;
    // As after a kill: some files are missing, and one is incomplete.
    const manifest = JSON.parse(contentsOf(flags.output)['backfill.json'] ?? '');
    for (let days = 0; days < manifest.days.length; days++) {
      const some = { ...manifest, days: manifest.days.slice(0, days) };
      await writeFile(join(flags.output, 'backfill.json'), JSON.stringify(some));
      await writeFile(join(flags.output, `${manifest.days[days]}.om.part`), 'half a f');
      // Nothing is read again, so nothing is said of its cost.
      expect(await runBackfill(flags, { now })).toMatch(/^wrote /);
      expect(contentsOf(flags.output)).toEqual(contentsOf(whole.output));
    }
    expect(
      exporter.requests.slice(asked).every((request) => request.startsWith('GET /-/backfill?')),
    ).toBe(true);
  });

  test('prints a query for older samples of the written items alone, transactions too', async () => {
    const exporter = await fakeExporter([
      itemWith({ id: 1 }),
      itemWith({ id: 2, firstSeenSeconds: from + 3 * day }),
      itemWith({ id: 3, kind: 'transaction', firstSeenSeconds: from + 3 * day + 60 }),
    ]);
    const flags = { ...(await flagsFor(exporter)), only: [2, 3] };
    const told = await runBackfill(flags, { now });

    // The live series of check 1 are older than the first sight of the others.
    const names = 'uptime_check_state_seconds_total|uptime_transaction_state_seconds_total';
    const matchers = `__name__=~"${names}",account="shop",check_id=~"2|3"`;
    expect(told).toContain(`last_over_time({${matchers}}[2y] @ ${from + 3 * day - 1})`);
  });

  test('writes nothing while an id of --only is not among what was read', async () => {
    const exporter = await fakeExporter([itemWith({ id: 1 }), itemWith({ id: 2 })]);
    const flags = await flagsFor(exporter);
    await expect(runBackfill({ ...flags, only: [1, 3, 4] }, { now })).rejects.toThrow(
      'nothing was read of --only 3, 4: ',
    );
    await runBackfill({ ...flags, only: [1] }, { now });
    expect(Object.values(contentsOf(flags.output)).join('')).toContain('check_id="1"');
  });

  test('reads the items again where an earlier run ended before it wrote anything', async () => {
    const renamed = itemWith({ id: 1, labelsNow: { name: 'New name' } });
    const flags = await flagsFor(await fakeExporter([renamed]));
    await expect(runBackfill(flags, { now })).rejects.toThrow(
      'there is no history that can be written',
    );

    const other = await fakeExporter([itemWith({ id: 2 })], ['blog']);
    await runBackfill({ ...flags, exporter: other.url }, { now });
    const text = Object.entries(contentsOf(flags.output))
      .filter(([name]) => name.endsWith('.om'))
      .map(([, content]) => content)
      .join('');
    expect(text).toContain('account="blog",check_id="2"');
    expect(text).not.toContain('check_id="1"');
  });

  test('does not take a history of some items for that of others, or of all', async () => {
    const exporter = await fakeExporter([1, 2].map((id) => itemWith({ id })));
    const flags = await flagsFor(exporter);
    await runBackfill({ ...flags, only: [1] }, { now });
    await runBackfill({ ...flags, only: [1] }, { now });

    await expect(runBackfill({ ...flags, only: [2] }, { now })).rejects.toThrow(
      'holds another history (only is "1", not "2")',
    );
    await expect(runBackfill(flags, { now })).rejects.toThrow(
      'holds another history (only is "1", not "none")',
    );
  });

  test('waits while the exporter restarts or limits requests', async () => {
    const exporter = await fakeExporter([itemWith({ id: 1 })]);
    exporter.failures.push(503, 429);
    await runBackfill(await flagsFor(exporter));
    expect(exporter.failures).toEqual([]);
  });

  test('refuses what would give wrong numbers, or cannot work', async () => {
    const exporter = await fakeExporter([itemWith({ id: 1 })]);
    const flags = await flagsFor(exporter);
    await runBackfill(flags);
    const other = await fakeExporter([itemWith({ id: 1 })], ['blog']);
    await expect(runBackfill({ ...flags, exporter: other.url })).rejects.toThrow(
      'holds another history (account is "shop", not "blog")',
    );
    await expect(runBackfill({ ...flags, from: `${from - day}` })).rejects.toThrow('count twice');
    await expect(runBackfill({ ...flags, label: ['job=b'] })).rejects.toThrow(
      'holds another history',
    );
    await expect(runBackfill({ ...flags, from: 'yesterday' })).rejects.toThrow(
      '--from must be a date',
    );
    await expect(
      runBackfill({ ...flags, label: ['job'], output: `${flags.output}2` }),
    ).rejects.toThrow('expected NAME=VALUE');
    await expect(runBackfill({ ...flags, label: [] })).rejects.toThrow('give --prometheus URL');
    const several = await fakeExporter([], ['a', 'b']);
    await expect(runBackfill({ ...flags, exporter: several.url })).rejects.toThrow(
      'choose one of "a", "b" with --account',
    );
    const full = await temporaryFolder();
    await writeFile(join(full, 'holiday.jpg'), '');
    await writeFile(join(full, '.lock'), 'of another program');
    await expect(runBackfill({ ...flags, output: full })).rejects.toThrow(
      'is not empty and holds no history',
    );
    await expect(runBackfill({ ...flags, output: join(full, 'holiday.jpg') })).rejects.toThrow(
      'cannot write to',
    );
    const blocks = { blocks: full, promtool: 'false', output: join(full, 'x') };
    await expect(runBackfill({ ...flags, ...blocks })).rejects.toThrow('false could not import');
    await expect(
      runBackfill({ ...flags, ...blocks, promtool: join(full, 'promtool') }),
    ).rejects.toThrow(
      `there is no ${join(full, 'promtool')}: name the promtool of Prometheus with`,
    );
  });
});

onSmallDisk('the command backfill on a small disk', () => {
  test('ends when the disk is full, and continues when there is room', async () => {
    const exporter = await fakeExporter([1, 2, 3].map((id) => itemWith({ id })));
    const whole = await flagsFor(exporter);
    await runBackfill(whole, { now });
    // Each whole day takes more than half a megabyte.
    const disk = await smallDisk('1m');
    const flags = { ...whole, output: join(disk, 'history') };
    await expect(runBackfill(flags, { now })).rejects.toThrow(
      /cannot write to .*history: the disk is full; free some space, or choose another path; run the same command again/,
    );
    const names = readdirSync(flags.output);
    expect(names.filter((name) => name.endsWith('.part'))).toEqual([]);
    expect(names.filter((name) => name.endsWith('.om')).length).toBeLessThan(3);
    execFileSync('mount', ['-o', 'remount,size=8m', disk]);
    await runBackfill(flags, { now });
    expect(contentsOf(flags.output)).toEqual(contentsOf(whole.output));
  });
});
