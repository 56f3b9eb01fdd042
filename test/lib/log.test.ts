import { describe, expect, test } from 'vitest';
import { createLog, type LogFormat } from '../../src/lib/log.ts';
import { Scrubber, Secret } from '../../src/lib/secret.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

function logTo(lines: string[], format: LogFormat, secrets: string[] = []) {
  return createLog({
    level: 'info',
    format,
    clock: new VirtualClock(Date.UTC(2026, 2, 4, 5, 6, 7, 89)),
    scrubber: new Scrubber(secrets.map((secret) => new Secret(secret))),
    destination: { write: (line) => lines.push(line) },
  });
}

describe('logfmt', () => {
  test('begins with time, level and message', () => {
    const lines: string[] = [];
    logTo(lines, 'logfmt').info({ account: 'shop', items: 3 }, 'list refreshed');
    expect(lines).toEqual([
      'ts=2026-03-04T05:06:07.089Z level=info msg="list refreshed" account=shop items=3\n',
    ]);
  });

  test('quotes what would be read as something else', () => {
    const lines: string[] = [];
    const fields = {
      name: 'a "b" \\ c\nd',
      empty: '',
      sum: 'x=y',
      nested: { 'odd key': [1, 'é'] },
    };
    logTo(lines, 'logfmt').warn(fields, 'odd');
    expect(lines[0]).toContain(
      String.raw`msg=odd name="a \"b\" \\ c\nd" empty="" sum="x=y" nested.odd_key="[1,\"é\"]"`,
    );
    expect(lines[0]?.trimEnd()).not.toContain('\n');
  });
});

test('json lines are JSON with the same facts', () => {
  const lines: string[] = [];
  logTo(lines, 'json').error({ account: 'shop' }, 'store failed');
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 'error',
    ts: '2026-03-04T05:06:07.089Z',
    account: 'shop',
    msg: 'store failed',
  });
});

test('lines below the level are not written', () => {
  const lines: string[] = [];
  logTo(lines, 'json').debug({}, 'detail');
  expect(lines).toEqual([]);
});

test.each(['logfmt', 'json'] as const)('no secret is in a %s line, in any form', (format) => {
  const secret = 't0ken"with\\odd/chars';
  const lines: string[] = [];
  const error = new Error(`refused ${secret}`, {
    cause: { header: `Basic ${btoa(`${secret}:`)}` },
  });
  logTo(lines, format, [secret]).warn({ error, url: `/?t=${encodeURIComponent(secret)}` }, secret);
  for (const form of ['t0ken', 'odd/chars', btoa(`${secret}:`), encodeURIComponent(secret)]) {
    expect(lines.join('')).not.toContain(form);
  }
  expect(lines.join('')).toContain('<secret>');
});

describe.each(['level', 'ts', 'msg', 'info', '17', '1', 'e', 'list', '2026'])(
  'the secret "%s"',
  (secret) => {
    const fields = { level_of: 'e', items: 17, times: [1, 2026], nested: { list: true } };
    const expected = { level: 'info', ts: '2026-03-04T05:06:07.089Z', items: 17 };

    test('leaves JSON, keys, numbers, time and level as they are', () => {
      const lines: string[] = [];
      logTo(lines, 'json', [secret]).info(fields, 'refreshed');
      const parsed = JSON.parse(lines[0] ?? '');
      expect(parsed).toMatchObject({ ...expected, times: [1, 2026], nested: { list: true } });
      expect(Object.keys(parsed)).toEqual([
        'level',
        'ts',
        'level_of',
        'items',
        'times',
        'nested',
        'msg',
      ]);
    });

    test('leaves keys, numbers, time and level of logfmt', () => {
      const lines: string[] = [];
      logTo(lines, 'logfmt', [secret]).info(fields, 'refreshed');
      expect(lines[0]).toMatch(
        /^ts=2026-03-04T05:06:07.089Z level=info msg=refreshed level_of=\S+ items=17 times=\S+ nested.list=true\n$/,
      );
    });
  },
);
