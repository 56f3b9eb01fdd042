import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../../src/config/problems.ts';
import type { AppOptions } from '../../src/http/server/create-app.ts';
import { listen } from '../../src/http/server/listen.ts';
import type { Clock } from '../../src/lib/clock.ts';
import type { Month } from '../../src/lib/month-calendar.ts';
import { printReport, type ReportFlags } from '../../src/months/command/report.ts';
import { freePort } from '../support/free-port.ts';
import { livelyAccount } from '../support/lively-account.ts';
import { datasetWith, noon } from '../support/snapshots.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { application, day, monthsOf, october, record } from './support/october.ts';

const hour = 3_600;
const late = record(6, 'late', { awaited: [{ fromSeconds: 0, toSeconds: day }] });

/** Time passes only while the command sleeps. */
class SleepingClock implements Clock {
  milliseconds = 0;
  slept: () => void = () => {};

  now(): number {
    return 1000 * noon + this.milliseconds;
  }

  monotonic(): number {
    return this.milliseconds;
  }

  async sleep(milliseconds: number): Promise<void> {
    this.milliseconds += milliseconds;
    this.slept();
  }
}

async function serve(months: () => ReturnType<typeof monthsOf>, options?: Partial<AppOptions>) {
  const all = { ...months(), records: (all: readonly Month[]) => months().records(all) };
  const server = await listen(application([all], options), '127.0.0.1:0', new VirtualClock());
  onTestFinished(() => server.close(0));
  return server.url;
}

async function report(exporter: string, clock: Clock, wait?: number) {
  const [stdout, stderr] = [[] as string[], [] as string[]];
  const into = (lines: string[]) => ({ write: (text: string) => lines.push(text) });
  const flags: ReportFlags = {
    ...{ exporter, account: [], group: [], tag: [], check: [], format: 'text' },
    ...(wait !== undefined && { wait }),
  };
  const terminal = { stdout: into(stdout), stderr: into(stderr) };
  const error = await printReport(terminal, flags, clock).then(
    () => undefined,
    (reason) => reason,
  );
  return {
    status: error === undefined ? 0 : error instanceof UsageError ? error.exitCode : error,
    message: error?.message,
    text: stdout.join(''),
    told: stderr.join(''),
  };
}

describe('uptime-exporter report --wait', () => {
  const clock = new SleepingClock();
  afterEach(() => {
    clock.slept = () => {};
    clock.milliseconds = 0;
  });

  test('waits until nothing is awaited, and prints the report once', async () => {
    let records = [...october, late];
    clock.slept = () => {
      if (clock.milliseconds >= 30 * 60_000) records = [...october];
    };
    const url = await serve(() => monthsOf('shop', records));
    const { status, text, told } = await report(url, clock, 2 * hour);
    expect(status).toBe(0);
    expect(clock.milliseconds).toBe(30 * 60_000);
    expect(text.match(/October 2026/g)).toHaveLength(1);
    expect(told).toBe('waiting: 1 check or transaction is not wholly known yet\n');
  });

  test('does not wait for what is not watched', async () => {
    const url = await serve(() => monthsOf('shop', october));
    const { status, text } = await report(url, clock, 2 * hour);
    expect({ status, slept: clock.milliseconds }).toEqual({ status: 0, slept: 0 });
    expect(text).toContain('19 d not watched');
  });

  test('when the time is over, prints the report and ends with status 3', async () => {
    const url = await serve(() => monthsOf('shop', [...october, late]));
    const { status, text, message } = await report(url, clock, 2 * hour);
    expect(status).toBe(3);
    expect(clock.milliseconds).toBe(2 * hour * 1000);
    expect(text).toContain('1 d not known yet');
    expect(message).toBe(
      'the time to wait is over: 1 check or transaction is not wholly known yet',
    );
  });

  test.each([20, 90])('uses all of the time, also if it is %d s', async (wait) => {
    let records = [...october, late];
    const url = await serve(() => monthsOf('shop', records));
    expect((await report(url, clock, wait)).status).toBe(3);
    expect(clock.milliseconds).toBe(wait * 1000);
    clock.slept = () => {
      if (clock.milliseconds >= 1000 * (wait + 15)) records = [...october];
    };
    expect((await report(url, clock, wait)).status).toBe(0);
  });

  test('without it prints what is known, with status 0', async () => {
    const url = await serve(() => monthsOf('shop', [...october, late]));
    expect(await report(url, clock)).toMatchObject({ status: 0, told: '' });
  });

  test('ends with status 2 if the account cannot be read all the time', async () => {
    const shop = livelyAccount(1);
    const failure = {
      reason: 'unauthorized',
      message: 'the API responded with 401',
      sinceSeconds: noon,
      consecutive: 2,
    } as const;
    const blind = {
      ...shop,
      snapshot: {
        ...shop.snapshot,
        ...{ account: 'shop', up: false },
        datasets: { ...shop.snapshot.datasets, checks: datasetWith({ failure }) },
      },
    };
    const url = await serve(() => monthsOf('shop', october), {
      status: { accounts: () => [blind] },
    });
    const { status, text, told } = await report(url, clock, hour);
    expect(status).toBe(2);
    expect(told).toBe('waiting: an account cannot be read\n');
    expect(text).toContain('October 2026');
  });

  test('waits for an exporter that has not started yet, and says so', async () => {
    const exporter = `http://127.0.0.1:${await freePort()}`;
    const { status, told, message } = await report(exporter, clock, hour);
    expect(status).toBe(1);
    expect(clock.milliseconds).toBeGreaterThan(3_500_000);
    expect(told).toMatch(/^waiting: cannot reach the exporter at .*\n$/);
    expect(message).toMatch(/cannot reach the exporter/);
  });
});
