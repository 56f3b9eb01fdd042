import { describe, expect, test } from 'vitest';
import { startTestSandbox } from '../../start-test-sandbox.ts';

interface WireProbe {
  readonly id: number;
  readonly active: boolean;
  readonly ipv6?: string;
  readonly region: string;
}

async function probesFrom() {
  const { send } = await startTestSandbox();
  return async (version: string, query = '') =>
    (await send<{ probes: WireProbe[] }>('GET', `/api/${version}/probes?${query}`)).body.probes;
}

describe('the probe list', () => {
  test('has the documented attributes, and the region of the probe', async () => {
    const probes = await probesFrom();

    for (const probe of await probes('3.1')) {
      expect(probe).toEqual({
        id: expect.any(Number),
        country: expect.any(String),
        city: expect.any(String),
        name: expect.any(String),
        active: expect.any(Boolean),
        hostname: expect.any(String),
        ip: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/),
        countryiso: expect.stringMatching(/^[A-Z]{2}$/),
        region: expect.toBeOneOf(['EU', 'NA', 'APAC', 'LATAM']),
        ...('ipv6' in probe && { ipv6: expect.stringContaining('2001:db8:') }),
      });
    }
  });

  test('has IPv6 addresses since version 2.1, though not of all probes', async () => {
    const probes = await probesFrom();
    const addressed = async (version: string) =>
      (await probes(version)).filter((probe) => 'ipv6' in probe).length;

    expect(await addressed('2.0')).toBe(0);
    expect(await addressed('2.1')).toBeGreaterThan(0);
    expect(await addressed('3.1')).toBe(await addressed('2.1'));
    expect(await addressed('3.1')).toBeLessThan((await probes('3.1')).length);
  });

  test('leaves out deleted probes unless asked for, and inactive ones when asked to', async () => {
    const probes = await probesFrom();

    const listed = await probes('3.1');
    const active = await probes('3.1', 'onlyactive=true');
    const all = await probes('3.1', 'includedeleted=true');

    expect(active).toEqual(listed.filter((probe) => probe.active));
    expect(active.length).toBeLessThan(listed.length);
    expect(all.length).toBeGreaterThan(listed.length);
    expect(all).toEqual(expect.arrayContaining(listed));
  });

  test('can be limited to those that play transactions in version 2.1', async () => {
    const probes = await probesFrom();

    const some = await probes('2.1', 'onlytms=true');

    expect(some.length).toBeGreaterThan(0);
    expect(some.length).toBeLessThan((await probes('2.1')).length);
  });

  test('is paged by limit and offset', async () => {
    const probes = await probesFrom();
    const all = await probes('2.0');

    expect(await probes('2.0', 'limit=5&offset=3')).toEqual(all.slice(3, 8));
    expect(await probes('2.0', `limit=5&offset=${all.length}`)).toEqual([]);
  });
});

test('checks are tested by active probes of the list only', async () => {
  const { send, sandbox } = await startTestSandbox();
  const listed = await send<{ probes: WireProbe[] }>('GET', '/api/3.1/probes?onlyactive=true');
  const id = sandbox.world.checks[0]?.id;

  const used = await send('GET', `/api/3.1/summary.probes/${id}?from=0`);

  expect(used.body).toEqual({ probes: listed.body.probes.map((probe) => probe.id) });
});

describe('the reference', () => {
  type Reference = Readonly<Record<string, Readonly<Record<string, unknown>>[]>>;

  test.each([
    ['3.1', ['id', 'description'], ['countryid', 'name', 'phonecode', 'iso']],
    [
      '2.1',
      ['id', 'description', 'countryid', 'datetimeformatid', 'numberformatid', 'timezoneid'],
      ['countryid', 'name', 'phonecode'],
    ],
    [
      '2.0',
      ['id', 'description', 'countryid', 'datetimeformatid', 'numberformatid', 'timezoneid'],
      ['countryid', 'name', 'phonecode'],
    ],
  ])('of version %s has the documented attributes', async (version, region, phonecode) => {
    const { send } = await startTestSandbox();

    const { body } = await send<Reference>('GET', `/api/${version}/reference`);

    const attributes = Object.fromEntries(
      Object.entries(body).map(([name, entries]) => [name, Object.keys(entries[0] ?? {}).sort()]),
    );
    expect(attributes).toEqual({
      regions: region.sort(),
      timezones: ['description', 'id'],
      datetimeformats: ['description', 'id'],
      numberformats: ['description', 'id'],
      countries: ['id', 'iso', 'name'],
      phonecodes: phonecode.sort(),
    });
  });

  test('refers to nothing that is not in it', async () => {
    const { send } = await startTestSandbox();

    const { body } = await send<Reference>('GET', '/api/2.1/reference');

    const ids = (name: string) => (body[name] ?? []).map(({ id }) => id);
    for (const region of body.regions ?? []) {
      expect(ids('countries')).toContain(region.countryid);
      expect(ids('timezones')).toContain(region.timezoneid);
      expect(ids('datetimeformats')).toContain(region.datetimeformatid);
      expect(ids('numberformats')).toContain(region.numberformatid);
    }
    for (const { countryid } of body.phonecodes ?? [])
      expect(ids('countries')).toContain(countryid);
  });
});

test('the legacy versions tell the time of the service', async () => {
  const { send, clock } = await startTestSandbox();
  await clock.advance(90_500);

  expect((await send('GET', '/api/2.0/servertime')).body).toEqual({
    servertime: Date.UTC(2026, 0, 5, 12, 1, 30) / 1000,
  });
  expect((await send('GET', '/api/2.1/servertime')).status).toBe(200);
  expect((await send('GET', '/api/3.1/servertime')).status).toBe(404);
});
