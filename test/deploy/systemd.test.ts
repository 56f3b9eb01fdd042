import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './chart.ts';

const unit = readFileSync(join(root, 'deploy/systemd/uptime-exporter.service'), 'utf8');

function setting(name: string): string | undefined {
  return new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];
}

test('systemd starts the exporter again, however long a database or a mount is away', () => {
  expect(setting('Restart')).toBe('on-failure');
  const interval = Number(setting('StartLimitIntervalSec'));
  const startsUntilItGivesUp = Number(setting('StartLimitBurst') ?? 5);
  // With 0 there is no limit.
  const secondsUntilItGivesUp =
    interval === 0
      ? Number.POSITIVE_INFINITY
      : startsUntilItGivesUp * Number(setting('RestartSec'));
  expect(secondsUntilItGivesUp).toBeGreaterThan(interval);
});
