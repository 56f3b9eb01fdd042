import { request } from 'undici';
import { expect, test } from 'vitest';
import { ready, switchedOff, watch } from './configured-sandbox.ts';

test('the report of a month is in the time zone of the configuration, in each form', async () => {
  const watched = await watch(`datasets: { ${switchedOff} }`, {
    global: 'report: { time_zone: Asia/Kolkata }',
    startMilliseconds: Date.parse('2026-03-10T12:00Z'),
  });
  await ready(watched);
  const get = async (path: string) => {
    const { body } = await request(`${watched.url}${path}?month=2026-03`);
    return body.text();
  };

  expect(JSON.parse(await get('/report.json'))).toMatchObject({
    time_zone: 'Asia/Kolkata',
    from: '2026-03-01T00:00:00+05:30',
  });
  expect(await get('/report.csv')).toContain('\n2026-03,Asia/Kolkata,');
  expect(await get('/report.txt')).toContain(
    '2026-03-01 00:00 UTC+5:30 to 2026-04-01 00:00 UTC+5:30',
  );
  expect(await get('/report')).toContain('>2026-03-01 00:00 UTC+5:30<');
});
