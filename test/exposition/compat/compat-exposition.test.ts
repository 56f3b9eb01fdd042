import { spawnSync } from 'node:child_process';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { BudgetView } from '../../../src/budget/budget-view.ts';
import { sloOf } from '../../../src/exposition/compat/compat-exporters.ts';
import { CompatExposition } from '../../../src/exposition/compat/compat-exposition.ts';
import type { CompatAccount } from '../../../src/exposition/compat/compat-family.ts';
import {
  type CompatOptions,
  defaultCompatOptions,
  defaultTagFormat,
  extraLabelName,
} from '../../../src/exposition/compat/compat-options.ts';
import type { ItemStates } from '../../../src/slo/reported-states.ts';
import { StateChanges } from '../../../src/slo/state-changes.ts';
import { emptyLog } from '../../../src/slo/state-log.ts';
import type { AccountSnapshot, CheckRow } from '../../../src/state/snapshot.ts';
import { missing, toolPath } from '../../support/tools.ts';
import { aBudget, aCheck, aSnapshot } from '../support/snapshots.ts';

const now = 1_700_000_000;
const day = 86_400;

/** Down for ten minutes three days ago, and for the last two minutes. */
const failed: ItemStates = {
  known: {
    states: {
      startSeconds: now - 40 * day,
      horizonSeconds: now - 60,
      state: 'down',
    },
    log: {
      ...emptyLog(now - 35 * day),
      changes: StateChanges.of([
        { state: 'up', fromSeconds: now - 35 * day },
        { state: 'down', fromSeconds: now - 3 * day },
        { state: 'up', fromSeconds: now - 3 * day + 600 },
        { state: 'down', fromSeconds: now - 120 },
      ]),
    },
  },
  endSeconds: now,
};
const unknownPast: ItemStates = {
  ...failed,
  known: {
    states: failed.known.states,
    log: emptyLog(now - day),
  },
};

const user = (name: string) => ({ name, source: 'user' }) as const;
const checks: readonly CheckRow[] = [
  aCheck({
    id: 1,
    name: 'Say "hi" \\ back\nsecond line',
    hostname: 'a.example.com',
    resolutionSeconds: 300,
    lastResponseTimeSeconds: 0.07,
    tags: [user('team:web'), { name: 'http', source: 'auto' }, user('uptime_slo_995')],
  }),
  aCheck({ id: 2, status: 'down', lastResponseTimeSeconds: 1.276 }),
  aCheck({ id: 3, status: 'paused', tags: [user('http')] }),
  aCheck({ id: 4, tags: [user('pingdom_exporter_ignored')] }),
];

interface Setup {
  readonly snapshot?: Partial<AccountSnapshot>;
  readonly budget?: Partial<BudgetView>;
  readonly options?: Partial<CompatOptions>;
}

function account({ snapshot, budget }: Setup = {}): CompatAccount {
  return {
    snapshot: aSnapshot({ checks, ...snapshot }),
    budget: { ...aBudget, ...budget },
    states: { ofCheck: (id) => (id === 3 ? unknownPast : failed) },
  };
}

function expositionOf(accounts: readonly CompatAccount[], options: Partial<CompatOptions> = {}) {
  let time = 0;
  let turns = 0;
  const exposition = new CompatExposition({
    elsewhere: () => [],
    accounts: () => accounts,
    options: () => ({ ...defaultCompatOptions, ...options }),
    // The clock advances by 6 ms at every call.
    clock: { monotonic: () => (time += 6) },
    yieldToEventLoop: async () => {
      turns += 1;
    },
  });
  const textAs = async (exporter: string, encoding: 'identity' | 'gzip' = 'identity') => {
    const { byteLength, chunks } = await exposition.read({ exporter }, encoding);
    const buffers: Uint8Array[] = [];
    for await (const chunk of chunks) buffers.push(chunk);
    const bytes = Buffer.concat(buffers);
    expect(bytes.byteLength).toBe(byteLength);
    return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
  };
  return { exposition, textAs, turns: () => turns };
}

async function lines(exporter: string, setup: Setup = {}): Promise<string[]> {
  const text = await expositionOf([account(setup)], setup.options).textAs(exporter);
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

const name1 = 'name="Say \\"hi\\" \\\\ back\\nsecond line"';

describe('as kokuwaio', () => {
  it('shows its families, escaped, without ignored checks', async () => {
    expect(await lines('kokuwaio')).toEqual([
      'pingdom_up 1',
      'pingdom_slo_period_seconds 604800',
      `pingdom_uptime_status{id="1",${name1},hostname="a.example.com",resolution="5",paused="false"} 1`,
      'pingdom_uptime_status{id="2",name="shop",hostname="",resolution="0",paused="false"} 0',
      'pingdom_uptime_status{id="3",name="shop",hostname="",resolution="0",paused="true"} 0',
      `pingdom_uptime_response_time_seconds{id="1",${name1},hostname="a.example.com",resolution="5",paused="false"} 0.07`,
      'pingdom_uptime_response_time_seconds{id="2",name="shop",hostname="",resolution="0",paused="false"} 1.276',
      'pingdom_uptime_response_time_seconds{id="3",name="shop",hostname="",resolution="0",paused="true"} 0',
      'pingdom_tags{id="1",name="team:web",type="u",count="1"} 1',
      'pingdom_tags{id="1",name="http",type="a",count="2"} 1',
      'pingdom_tags{id="1",name="uptime_slo_995",type="u",count="1"} 1',
      'pingdom_tags{id="3",name="http",type="u",count="2"} 1',
      `pingdom_outages_total{id="1",${name1},hostname="a.example.com"} 2`,
      'pingdom_outages_total{id="2",name="shop",hostname=""} 2',
      `pingdom_up_seconds{id="1",${name1},hostname="a.example.com"} 604080`,
      'pingdom_up_seconds{id="2",name="shop",hostname=""} 604080',
      `pingdom_down_seconds{id="1",${name1},hostname="a.example.com"} 720`,
      'pingdom_down_seconds{id="2",name="shop",hostname=""} 720',
      `pingdom_uptime_slo_error_budget_total_seconds{id="1",${name1},hostname="a.example.com"} 3024`,
      'pingdom_uptime_slo_error_budget_total_seconds{id="2",name="shop",hostname=""} 6048',
      'pingdom_uptime_slo_error_budget_total_seconds{id="3",name="shop",hostname=""} 6048',
      `pingdom_uptime_slo_error_budget_available_seconds{id="1",${name1},hostname="a.example.com"} 2304`,
      'pingdom_uptime_slo_error_budget_available_seconds{id="2",name="shop",hostname=""} 5328',
    ]);
  });

  it('shows nothing but pingdom_up when the list failed', async () => {
    expect(await lines('kokuwaio', { snapshot: { up: false } })).toEqual(['pingdom_up 0']);
  });

  it('takes another period and SLO', async () => {
    const options = { defaultSlo: 99.9, outagePeriodSeconds: day };
    const shown = await lines('kokuwaio', { options });

    expect(shown).toContain('pingdom_slo_period_seconds 86400');
    expect(shown).toContain('pingdom_outages_total{id="2",name="shop",hostname=""} 1');
    expect(shown).toContain('pingdom_up_seconds{id="2",name="shop",hostname=""} 86280');
    // As Go computes it in the same order.
    expect(shown.find((line) => /budget_total_seconds\{id="2"/.test(line))).toMatch(
      / 86\.39999999999509$/,
    );
  });

  it('parses tags, one series a tag', async () => {
    const parsedTags = { format: new RegExp(defaultTagFormat), extraLabels: [] };
    const twice = [user('http'), { name: 'http', source: 'auto' }, user('team:web')] as const;
    const snapshot = { checks: [aCheck({ tags: twice })] };
    const shown = await lines('kokuwaio', { snapshot, options: { parsedTags } });

    expect(shown.filter((line) => line.startsWith('pingdom_tags'))).toEqual([
      'pingdom_tags_label{id="1",label_key="",label_value="",name="http"} 0',
      'pingdom_tags_label{id="1",label_key="team",label_value="web",name="team:web"} 1',
    ]);
  });

  it('parses tags of another format', async () => {
    const parsedTags = { format: /^(.+)=(.+)$/, extraLabels: [] };
    const snapshot = { checks: [aCheck({ tags: [user('team:web'), user('team=web')] })] };
    const shown = await lines('kokuwaio', { snapshot, options: { parsedTags } });

    expect(shown.filter((line) => line.startsWith('pingdom_tags'))).toEqual([
      'pingdom_tags_label{id="1",label_key="",label_value="",name="team:web"} 0',
      'pingdom_tags_label{id="1",label_key="team",label_value="web",name="team=web"} 1',
    ]);
  });

  it('parses tags into labels of their own, the last of a key', async () => {
    const extraLabels = ['team', 'businessUnit'];
    const parsedTags = { format: new RegExp(defaultTagFormat), extraLabels };
    const snapshot = {
      checks: [
        aCheck({ id: 1, tags: [user('team:a'), user('businessUnit:b'), user('team:c')] }),
        aCheck({ id: 2, tags: [user('Team:a')] }),
        aCheck({ id: 3 }),
      ],
    };
    const shown = await lines('kokuwaio', { snapshot, options: { parsedTags } });

    expect(shown.filter((line) => line.startsWith('pingdom_tags'))).toEqual([
      'pingdom_tags_label{id="1",label_team="c",label_business_unit="b"} 1',
      'pingdom_tags_label{id="2",label_team="",label_business_unit=""} 1',
    ]);
  });
});

describe('as jusbrasil', () => {
  const status =
    'hostname="a.example.com",status="up",resolution="5",paused="false",tags="team:web,http,uptime_slo_995"';

  it('adds status and tags to the labels', async () => {
    const shown = await lines('jusbrasil');

    expect(shown.slice(0, 4)).toEqual([
      'pingdom_up 1',
      'pingdom_slo_period_seconds 604800',
      'pingdom_rate_limit_remaining_requests 390',
      `pingdom_uptime_status{id="1",${name1},${status}} 1`,
    ]);
    expect(shown).toContain('pingdom_down_seconds{id="2",name="shop",hostname="",tags=""} 720');
    expect(shown.some((line) => line.startsWith('pingdom_tags'))).toBe(false);
  });

  it('keeps the rate limit when the list failed', async () => {
    expect(await lines('jusbrasil', { snapshot: { up: false } })).toEqual([
      'pingdom_up 0',
      'pingdom_rate_limit_remaining_requests 390',
    ]);
  });

  const failure = (reason: 'timeout' | 'not_tls' | 'server_error') => ({
    checks: { stale: false, failure: { reason, message: '', sinceSeconds: 1, consecutive: 1 } },
  });
  const short = { limit: 400, remaining: 390, reserve: 80, resetSeconds: 1 };
  it.each<[string, Setup, string]>([
    [
      'the smaller of both windows',
      { budget: { windows: { short, long: { ...short, remaining: 12 } } } },
      '12',
    ],
    ['nothing without a reply', { snapshot: { datasets: failure('timeout') } }, '0'],
    ['nothing without TLS', { snapshot: { datasets: failure('not_tls') } }, '0'],
    [
      'the window of a reply that failed',
      { snapshot: { datasets: failure('server_error') } },
      '390',
    ],
    [
      'everything without valid headers',
      {
        budget: { mode: 'fallback', windows: {} },
        snapshot: { datasets: { checks: { stale: false, lastSuccessAtSeconds: now } } },
      },
      '1.7976931348623157e+308',
    ],
    ['nothing before the first reply', { budget: { mode: 'learning', windows: {} } }, '0'],
  ])('says that %s is left', async (_, setup, left) => {
    expect(await lines('jusbrasil', setup)).toContain(
      `pingdom_rate_limit_remaining_requests ${left}`,
    );
  });
});

describe('as giantswarm', () => {
  const statuses = ['up', 'unconfirmed_down', 'down', 'paused', 'unknown'] as const;
  const snapshot = {
    up: false,
    checks: statuses.map((status, at) =>
      aCheck({
        ...{ id: at, status, tags: [user('a'), user('b')] },
        ...(status === 'up' && { lastResponseTimeSeconds: 0.07 }),
      }),
    ),
  };

  it('counts states in its own numbers and milliseconds, and keeps them when the list failed', async () => {
    const shown = await lines('giantswarm', { snapshot });
    const values = (family: string) =>
      shown.filter((line) => line.startsWith(family)).map((line) => line.split(' ').at(-1));

    expect(shown[0]).toBe('pingdom_up 0');
    expect(values('pingdom_check_status')).toEqual(['0', '1', '2', '-1', '-2']);
    expect(values('pingdom_check_response_time')).toEqual(['70', '0', '0', '0', '0']);
    expect(shown[1]).toBe(
      'pingdom_check_status{id="0",name="shop",hostname="",resolution="0",paused="false",tags="a,b"} 0',
    );
    expect(shown).toHaveLength(11);
  });
});

it.each([
  ['uptime_slo_99', 99],
  ['uptime_slo_995', 99.5],
  ['uptime_slo_9995', 99.95],
  ['uptime_slo_9', 9],
  ['uptime_slo_100', 10],
  ['uptime_slo_0995', 9.95],
  ['uptime_slo_99.5', 99],
  ['my_uptime_slo_995', 99],
])('the tag %s makes an SLO of %d percent', (tag, slo) => {
  expect(sloOf({ tags: [user(tag)] }, 99)).toBe(slo);
});

it.each([
  ['region', 'label_region'],
  ['BusinessUnit', 'label_business_unit'],
  ['cost-center', 'label_cost_center'],
  ['_a__b_', 'label_a_b'],
])('the key %s makes the label %s', (key, label) => {
  expect(extraLabelName(key)).toBe(label);
});

describe('a scrape', () => {
  it('of a large account gives the event loop its turns, and is the same compressed', async () => {
    const many = Array.from({ length: 5_000 }, (_, id) => aCheck({ id, hostname: `h${id}` }));
    const { textAs, turns } = expositionOf([account({ snapshot: { checks: many } })]);
    const text = await textAs('kokuwaio');

    // At least one for any 1,024 checks of each of the seven families of checks.
    expect(turns()).toBeGreaterThan(7 * 4);
    expect(text.match(/^pingdom_uptime_status\{/gm)).toHaveLength(5_000);
    expect(await textAs('kokuwaio', 'gzip')).toBe(text);
  });

  it.skipIf(missing('promtool'))('passes promtool but for what the others are named', async () => {
    const { textAs } = expositionOf([account()]);
    for (const name of ['kokuwaio', 'jusbrasil', 'giantswarm']) {
      const { stderr, stdout } = spawnSync(toolPath('promtool'), ['check', 'metrics'], {
        input: await textAs(name),
        encoding: 'utf8',
      });
      expect(`${stdout}${stderr}`.trim()).toBe(
        name === 'giantswarm'
          ? ''
          : 'pingdom_outages_total non-counter metrics should not have "_total" suffix',
      );
    }
  });
});
