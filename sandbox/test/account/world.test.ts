import { expect, test } from 'vitest';
import { World } from '../../src/account/world.ts';
import type { MonitoredCheck } from '../../src/simulation/monitored-check.ts';

const startedAt = 1_767_614_400;
const world = (checks: number, seed = 1) => new World({ seed, checks, startedAt });

test('one name holds quotes, a backslash and a new line', () => {
  const names = world(24).checks.map(({ name }) => name);

  expect(names).toContain('Say "hi" \\ back\nsecond line');
});

test.each([
  ['a comma', /,/],
  ['a pipe', /\|/],
  ['a colon', /:/],
  ['a tab', /\t/],
  ['an emoji', /\p{Emoji_Presentation}/u],
  ['right-to-left script', /\p{Script=Arabic}/u],
  ['markup', /<script>alert\(1\)<\/script>/],
  ['more than 255 characters', /^.{256,}$/],
])('a name has %s', (_what, pattern) => {
  expect(world(24).checks.filter(({ name }) => pattern.test(name))).not.toEqual([]);
});

test('two checks share a name', () => {
  const names = world(24).checks.map(({ name }) => name);

  expect(new Set(names).size).toBe(names.length - 1);
});

test('identifiers have eight digits, rise and have gaps, even in the largest account', () => {
  const ids = world(50_000).checks.map(({ id }) => id);

  expect(ids.every((id) => /^\d{8}$/.test(String(id)))).toBe(true);
  expect(ids.every((id, position) => position === 0 || id > (ids[position - 1] ?? 0))).toBe(true);
  expect((ids.at(-1) ?? 0) - (ids[0] ?? 0)).toBeGreaterThan(100_000);
});

test('every check was created months before the start', () => {
  for (const { created } of world(500).checks) {
    expect(startedAt - created).toBeGreaterThanOrEqual(60 * 86_400);
    expect(startedAt - created).toBeLessThan(500 * 86_400);
  }
});

test('every status stays for the first five minutes, so that one has time to see it', () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const { checks, history } = world(24, seed);

    const statuses = checks.map((check) => history.stateAt(check, startedAt + 299));

    expect(statuses).toEqual(
      expect.arrayContaining(['up', 'down', 'unconfirmed_down', 'unknown', 'paused']),
    );
    expect(history.stateAt(checks[6] as MonitoredCheck, startedAt + 299)).toBe('unconfirmed_down');
    expect(history.stateAt(checks[6] as MonitoredCheck, startedAt + 300)).toBe('up');
  }
});

test('a planted outage shows in the history of that check alone', () => {
  const subject = world(24);
  const [check, other] = subject.checks;
  if (check === undefined || other === undefined) throw new Error('no checks');
  const before = subject.history.lastErrorTime(other, startedAt + 7200);

  subject.plant({ checkId: check.id, status: 'down', from: startedAt + 900 });

  expect(subject.history.stateAt(check, startedAt + 7200)).toBe('down');
  expect(subject.history.lastErrorTime(other, startedAt + 7200)).toBe(before);
});

test('refuses to plant at a check there is not, or for no time', () => {
  const subject = world(1);
  const checkId = subject.checks[0]?.id ?? 0;

  expect(() => subject.plant({ checkId: 7, status: 'down', from: 1 })).toThrow(
    new RangeError('no check has the identifier 7'),
  );
  expect(() => subject.plant({ checkId, status: 'down', from: 5, to: 5 })).toThrow(
    new RangeError('a disturbance from 5 cannot end at 5'),
  );
});

test('what is remembered of a check is what its history says at any time', () => {
  const subject = world(24);
  const fresh = world(24);
  for (const time of [0, 1, 59, 60, 61, 3599, 3600, 7205, 100, 86_400].map((s) => startedAt + s)) {
    for (const check of subject.checks) {
      expect(subject.observer.observe(check, time)).toEqual({
        status: fresh.history.stateAt(check, time),
        lastTest: fresh.history.lastTest(check, time),
        lastErrorTime: fresh.history.lastErrorTime(check, time),
        lastOutage: fresh.history.lastOutage(check, time),
      });
    }
  }
});

test('what is remembered of a check gives way to what is planted', () => {
  const subject = world(1);
  const [check] = subject.checks;
  if (check === undefined) throw new Error('no check');
  expect(subject.observer.observe(check, startedAt).status).toBe('up');

  subject.plant({ checkId: check.id, status: 'down', from: startedAt - 600 });

  expect(subject.observer.observe(check, startedAt).status).toBe('down');
});
