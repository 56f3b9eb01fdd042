import { expect, test } from 'vitest';
import { World } from '../life/world.ts';

const names = ['nul\0inside', ' \t\u00a0', 'turned\u202eround', '\0', 'half \ud83d', 'plain'];

/** The names of the checks on the page and in /status.json. */
async function namesOf(world: World): Promise<readonly [string[], string[]]> {
  const page = await world.page();
  const labels = [...page.matchAll(/^uptime_check_state_seconds_total\{.*\bname="([^"]*)"/gm)];
  const status = JSON.parse(await world.get('/status.json'));
  const sorted = (found: readonly unknown[]) => [...new Set(found)].map(String).sort();
  return [
    sorted(labels.map(([, name]) => name)),
    sorted(status.accounts[0].checks.last_24_hours.map(({ name }: { name: string }) => name)),
  ];
}

test('a check has one name everywhere, from the first list on and after a restart', async () => {
  const world = World.inMemory({ checks: names.length, transactions: 0 });
  const { registry } = world.sandbox.world;
  for (const [place, check] of world.sandbox.world.checks.entries()) {
    registry.put({ ...check, name: names[place] ?? '', hostname: '' });
  }
  const idOf = (place: number) => world.sandbox.world.checks[place]?.id;
  const expected = [
    'nul\ufffdinside',
    `check ${idOf(1)}`,
    'turned\ufffdround',
    `check ${idOf(3)}`,
    'half \ufffd',
    'plain',
  ].sort();
  await world.start();
  await world.pass(600);
  expect(await namesOf(world)).toEqual([expected, expected]);

  await world.stop();
  await world.start();
  expect(await namesOf(world)).toEqual([expected, expected]);
  await world.pass(300);
  expect(await namesOf(world)).toEqual([expected, expected]);
  await world.stop();
});
