import { expect, test } from 'vitest';
import { LiveSettings } from '../../src/app/live-settings.ts';
import { defaultFlapping } from '../../src/slo/flapping.ts';

test('a reload replaces what running accounts use: the months begin in the new time zone', () => {
  const settings = new LiveSettings({ timeZone: 'Europe/Berlin' });
  const { policies } = settings;
  const { calendar } = policies;
  const { fromSeconds } = calendar.containing(Date.UTC(2026, 6, 15) / 1000);
  expect(fromSeconds).toBe(Date.UTC(2026, 5, 30, 22) / 1000);

  const flapping = { ...defaultFlapping, outages: 7 };
  settings.replace({ timeZone: 'Asia/Tokyo', flapping, links: {} });

  expect(calendar.containing(Date.UTC(2026, 6, 15) / 1000).fromSeconds).toBe(
    Date.UTC(2026, 5, 30, 15) / 1000,
  );
  expect(policies.outages.flapping).toBe(flapping);

  settings.replace({});
  expect(calendar.zone).toBe('UTC');
  expect(policies.outages.flapping).toBe(defaultFlapping);
});
