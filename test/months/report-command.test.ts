import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { AppOptions } from '../../src/http/server/create-app.ts';
import { listen, type RunningServer } from '../../src/http/server/listen.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { runCommandLine } from '../support/command-line.ts';
import { freePort } from '../support/free-port.ts';
import { ResponseServer, responseBytes, sendAndClose } from '../support/response-server.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { securityOfAlice } from '../support/web-files.ts';
import { application, monthsOf, october } from './support/october.ts';

const text = `October 2026
2026-10-01 00:00 UTC to 2026-11-01 00:00 UTC, months of the time zone UTC.
Names, groups and objectives are those of that month. Response times are absent: less than a day of them was read. Availability is without maintenance.

1 of 1 group and 1 of 5 checks and transactions missed the objective. 1 is not decided. 1 was not tested.
In total: 99.92 % available of the known time, down 2 h, 1 outage; September 2026: 99.92 % available of the known time.

Days: . no downtime; a down, within what the objective permits for the day; b up to ten times as much; c more; ? not known; _ not tested.

Groups
  shop: 99.865 % available, objective 99.9 % missed by 30 min 44 s, down 2 h, 1 outage, c..c...........................

Checks and transactions
  =HYPERLINK("https://evil.example"): 99.731 % available, objective 99.9 % missed by 1 h 15 min, down 2 h, 1 outage, one began on 2026-09-30, c..c...........................
  flawless: 100 % available, objective 99.9 % met, 44 min 38 s left
  maintained: 100 % available, objective 99.9 % met, 44 min 34 s left, maintenance 1 h
  young <b>: 100 % available of 12 d, objective 99.9 % not decided, 19 d not watched, ???????????????????............
  paused: not tested, objective 99.9 %, 31 d not monitored

Outages
  2026-09-30 23:00 UTC =HYPERLINK("https://evil.example"): 1 h 30 min, 30 min in this month
  2026-10-04 10:00 UTC =HYPERLINK("https://evil.example"): 1 h 30 min, Timeout, @cause
  2026-10-09 10:00 UTC maintained: 1 h, in maintenance
`;

describe('uptime-exporter report', () => {
  let server: RunningServer;

  const serve = (months: readonly ReturnType<typeof monthsOf>[], options?: Partial<AppOptions>) =>
    listen(application(months, options), '127.0.0.1:0', new VirtualClock());
  const report = (exporter: string, ...flags: readonly string[]) =>
    runCommandLine(['report', '--exporter', exporter, ...flags]);

  beforeAll(async () => {
    server = await serve([monthsOf('shop', october), monthsOf('other', [])]);
  });
  afterAll(() => server.close(0));

  test('prints the last complete month as text', async () => {
    expect(await report(server.url)).toEqual({ exitCode: 0, output: text });
  });

  test('prints the CSV and the JSON that the exporter serves', async () => {
    for (const [flags, path] of [
      [['--format=csv'], '/report.csv'],
      [['--format=json', '--month=2026-09'], '/report.json?month=2026-09'],
      [['--outages'], '/report-outages.csv'],
      [['--format=html', '--whole'], '/report.html?whole=true'],
    ] as const) {
      const bytes = await (await fetch(`${server.url}${path}`)).arrayBuffer();
      // `text()` would remove the byte order mark.
      const output = Buffer.from(bytes).toString();
      expect(await report(server.url, ...flags)).toEqual({ exitCode: 0, output });
    }
  });

  test('prints only what is selected', async () => {
    const { output } = await report(server.url, '--account=shop', '--tag=prod', '--group=shop');
    expect(output).toContain('flawless: 100 % available');
    expect(output).not.toContain('young');
    expect((await report(server.url, '--check=YOUNG')).output).toContain('of 1 check or');
    const none = await report(server.url, '--account=other');
    expect(none.output).toContain('Nothing that is known of this month is selected.');
  });

  test.each([
    ['--month=2025-01', 'responded with 400: month must be one of 2026-09, 2026-10, 2026-11.'],
    [
      '--account=unknown',
      'responded with 400: unknown account "unknown": expected one of shop, other',
    ],
    ['--format=pdf', '--format'],
  ])('refuses %s', async (flag, message) => {
    const { exitCode, output } = await report(server.url, flag);
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: expect.stringContaining(message) });
  });

  test('refuses --outages as JSON, which has them', async () => {
    const { exitCode, output } = await report(server.url, '--outages', '--format=json');
    expect(exitCode).toBe(1);
    expect(output).toContain('--outages prints CSV');
  });

  test.each([
    ['--whole', '--whole is for --format=html'],
    ['--wait=soon', 'allowed: up to 7d, written as 30m or 2h'],
  ])('refuses %s', async (flag, message) => {
    const { exitCode, output } = await report(server.url, flag);
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: expect.stringContaining(message) });
  });

  test('ends soon where no exporter is', async () => {
    const address = `http://127.0.0.1:${await freePort()}`;
    const { exitCode, output } = await report(address);
    expect(exitCode).toBe(1);
    expect(output).toMatch(
      /cannot reach the exporter at http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED/,
    );
  });

  test('says that the report broke off', async () => {
    const whole = responseBytes({ body: text });
    const broken = await ResponseServer.start(sendAndClose(whole.subarray(0, -1)));
    const { exitCode, output } = await report(broken.url);
    expect(exitCode).toBe(1);
    expect(output).toContain('the response broke off (other side closed)');
  });

  test('says that nothing is recorded yet', async () => {
    const empty = await serve([monthsOf('shop', [])]);
    const { exitCode, output } = await report(empty.url);
    await empty.close(0);
    expect(exitCode).toBe(1);
    expect(output).toContain(
      'responded with 503: nothing is recorded yet: no check or transaction was counted.',
    );
  });

  test.each(['day=2026-10-04', 'by=check'])(
    'what is asked of the outages alone does not make an empty month a report (%s)',
    async (query) => {
      const app = request(application([monthsOf('shop', [])]));
      expect(await app.get(`/report.json?${query}`)).toMatchObject({ status: 503 });
      expect(await app.get(`/report.json?${query}&tag=prod`)).toMatchObject({ status: 200 });
    },
  );

  test('sends credentials from a file, and asks for them', async () => {
    const guarded = await serve([monthsOf('shop', october)], { security: securityOfAlice() });
    onTestFinished(() => guarded.close(0));

    const refused = await report(guarded.url);
    expect(refused.exitCode).toBe(1);
    expect(refused.output).toContain(
      'responded with 401: Unauthorized; name a file with user:password or a token with --exporter-auth-file',
    );

    const file = join(await temporaryFolder(), 'auth');
    writeFileSync(file, 'alice:U*U\n');
    expect(await report(guarded.url, '--exporter-auth-file', file)).toMatchObject({ exitCode: 0 });
  });
});
