import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './chart.ts';

const read = (unit: string) => readFileSync(join(root, `deploy/systemd/${unit}.service`), 'utf8');

function setting(unit: string, name: string): string | undefined {
  return new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];
}

test('systemd starts the exporter again, however long a database or a mount is away', () => {
  const exporter = read('uptime-exporter');
  expect(setting(exporter, 'Restart')).toBe('on-failure');
  const interval = Number(setting(exporter, 'StartLimitIntervalSec'));
  const startsUntilItGivesUp = Number(setting(exporter, 'StartLimitBurst') ?? 5);
  // With 0 there is no limit.
  const secondsUntilItGivesUp =
    interval === 0
      ? Number.POSITIVE_INFINITY
      : startsUntilItGivesUp * Number(setting(exporter, 'RestartSec'));
  expect(secondsUntilItGivesUp).toBeGreaterThan(interval);
});

test('the monthly mail is tried again for hours when the mail server is away', () => {
  const report = read('uptime-report');
  expect(setting(report, 'Restart')).toBe('on-failure');
  const [tries, seconds] = ['StartLimitBurst', 'RestartSec'].map((name) =>
    Number(setting(report, name)),
  );
  expect(Number(tries) * Number(seconds)).toBeGreaterThan(3 * 3600);
  // Longer than all tries take that wait for the month, and shorter than a month.
  expect(setting(report, 'StartLimitIntervalSec')).toBe('7d');
});
