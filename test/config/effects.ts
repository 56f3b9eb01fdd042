import { datasetNames } from '../../src/domain/dataset.ts';

/** A key of the configuration, and the test that fails if its setting has no effect. */
interface Effect {
  /** Its path in the file; `[]` stands for the entry of a list. */
  readonly key: string;
  /** Another value than the default. */
  readonly value: unknown;
  /** Other keys that it needs. */
  readonly beside: Readonly<Record<string, unknown>>;
  /** The key that it replaces. */
  readonly insteadOf?: string;
  readonly shownBy: Test;
}

type Test = readonly [file: string, title: string];

const inEffect = 'test/config/settings-in-effect.long.test.ts';
const keys = 'test/config/keys-in-effect.test.ts';
const readings = 'test/config/reading-settings-in-effect.long.test.ts';
const objectives = 'test/slo/objectives.test.ts';
const compat = 'test/exposition/compat/compat-exposition.test.ts';
const listening = 'test/system/listening.test.ts';
const flapping = 'test/slo/flapping.test.ts';
const failures = 'test/api/http/client-failures.test.ts';
const connection = 'test/api/http/connection.test.ts';
const itemPage = 'test/http/item/item-page.test.ts';
const log = 'test/lib/log.test.ts';

const applies: Test = [objectives, 'which objective applies'];
const groupRule: Test = [objectives, 'a group has a rule of its own or the default'];
const groups: Test = [
  objectives,
  'a check is in the groups that its tags and the named ones select',
];
const served: Test = [readings, 'metrics: %s serves these families'];
const promoted: Test = [keys, 'each key changes what is shown, after a reload as after a start'];
const secured: Test = [
  'test/replicas/postgres/secured.long.test.ts',
  'a server is used if its certificate is of the authority that is named and the password is right',
];
const filtered: Test = [inEffect, 'leaves checks out of the page and of every request for a check'];
const byTag: Test = [inEffect, 'selects by tags'];
const legacy: Test = ['test/api/legacy/operations.test.ts', 'sends the credentials of the account'];
const bearer: Test = [
  'test/api/http/client.test.ts',
  'is a GET with credentials, that asks for compressed JSON',
];
const hook: Test = ['test/system/hook.test.ts', 'an outage is on the page within seconds'];
const linked: Test = [itemPage, 'leads to the service and to Grafana as configured'];
const several: Test = [readings, 'several accounts are on one page, each with its own settings'];

const publicPage: Test = [
  'test/http/public/truth.test.ts',
  'names services as configured, and the others by their place',
];

const account = (key: string) => `accounts.[].${key}`;
const of2x = {
  [account('token')]: undefined,
  [account('version')]: '2.1',
  [account('email')]: 'a@example.com',
  [account('password')]: 'a-password-1',
  [account('app_key')]: 'an-app-key-1',
};

const row = (
  key: string,
  value: unknown,
  shownBy: Test,
  beside: Readonly<Record<string, unknown>> = {},
): Effect => ({ key, value, shownBy, beside });

const tagged = { 'groups.from_tags': ['team:*', 'critical'] };
const rule = { 'objectives.rules.[].ratio': 0.9, 'objectives.rules.[].ids': [99] };
const named = { 'groups.named.[].name': 'a', 'groups.named.[].ids': [99] };
const aPage = {
  'groups.named.[].name': 'all',
  'groups.named.[].names': ['*'],
  'pages.[].name': 'status',
  'pages.[].title': 'Status',
  'pages.[].account': 'shop',
  'pages.[].group': 'all',
};
const aNamedCheck = {
  ...aPage,
  'pages.[].checks.[].id': 1,
  'pages.[].checks.[].name': 'Shop',
};
const parsed = { 'compat.parser_tags': true };

export const effects: readonly Effect[] = [
  row('web.listen_address', '127.0.0.1:9000', [listening, 'it listens on every address that it']),
  row('web.route_prefix', '/uptime', ['test/http/server/route-prefix.test.ts', 'with a prefix']),
  row('web.external_url', 'https://example.com/uptime/', [
    listening,
    'the external URL gives every path its prefix',
  ]),
  row('web.unauthenticated_probes', true, [
    'test/http/access/access-handler.test.ts',
    'the health checks need no password if the operator allows it, and nothing else does',
  ]),
  row('web.telemetry_path', '/m', [
    'test/http/metrics/metrics.test.ts',
    'is found literally at %s when it is put there',
  ]),
  row('web.max_requests', 0, ['test/http/server/listen.long.test.ts', '0 is no limit']),
  row('storage.path', '/var/lib/uptime', [
    'test/system/restart.test.ts',
    'the page is served at once with its true age, and nothing is asked before it is due',
  ]),
  row('storage.url', 'postgres://uptime@db/uptime', [
    'test/system/postgres.test.ts',
    'of two exporters on PostgreSQL one serves the account, and the other takes it over',
  ]),
  row('storage.password_file', 'password', secured),
  row('storage.ca_file', 'ca.pem', secured),
  row('storage.lease_ttl', '1m', [
    'test/replicas/leases/trust.test.ts',
    'until the time to live without the margin has passed since the renewal was sent',
  ]),
  row('storage.synchronous_standby', true, [
    'test/replicas/postgres/postgres-store.long.test.ts',
    'loses nothing when a synchronous standby has taken over, if there is one',
  ]),
  row('log.level', 'warn', [log, 'lines below the level are not written']),
  row('log.format', 'json', [log, 'json lines are JSON with the same facts']),
  row('labels.promote.[].from', 'hostname', promoted),
  row('labels.promote.[].as', 'host', promoted, { 'labels.promote.[].from': 'hostname' }),
  row('metrics.mode', 'full', served),
  row('metrics.include', ['uptime_check_last_error_timestamp_seconds'], served),
  row('metrics.exclude', ['uptime_check_up'], served),
  row('objectives.default', 0.5, applies),
  row('objectives.rules.[].ratio', 0.5, applies, { 'objectives.rules.[].ids': [1] }),
  row('objectives.rules.[].ids', [1], applies, rule),
  row('objectives.rules.[].names', ['shop-*'], applies, rule),
  row('objectives.rules.[].tags', ['critical'], applies, rule),
  row('objectives.rules.[].groups', ['team:*'], groupRule, { ...rule, ...tagged }),
  row('groups.from_tags', ['team:*'], groups),
  row('groups.named.[].name', 'b', groups, { ...named, 'groups.named.[].ids': [1] }),
  row('groups.named.[].ids', [1], groups, named),
  row('groups.named.[].names', ['shop-*'], groups, named),
  row('groups.named.[].tags', ['critical'], groups, named),
  row(
    'groups.max_groups',
    1,
    [
      'test/state/standing/account-standing.test.ts',
      'there are at most as many groups as the configuration allows',
    ],
    tagged,
  ),
  row('flapping.outages', 5, [flapping, 'after as many outages within the time']),
  row('flapping.within', '2h', [flapping, 'after as many outages within the time']),
  row('flapping.up_for', '5m', [flapping, 'ends after the time up that the configuration says']),
  row('links.check', 'https://service.example.com/{id}', linked),
  row('links.transaction', 'https://service.example.com/{id}', [
    itemPage,
    'of a transaction leads to the service as configured',
  ]),
  row('links.grafana', 'https://grafana.example.com', linked),
  row('report.time_zone', 'Europe/Berlin', [
    'test/config/report-time-zone.test.ts',
    'the report of a month is in the time zone of the configuration, in each form',
  ]),
  ...Object.entries({ name: 'news', title: 'News', account: 'main', group: 'sites' }).map(
    ([key, value]) => row(`pages.[].${key}`, value, publicPage, aPage),
  ),
  row('pages.[].checks.[].id', 7, publicPage, aNamedCheck),
  row('pages.[].checks.[].name', 'Home', publicPage, aNamedCheck),
  row('compat.default_uptime_slo', 95, [compat, 'takes another period and SLO']),
  row('compat.outage_check_period', '3d', [compat, 'takes another period and SLO']),
  row('compat.parser_tags', true, [compat, 'parses tags, one series a tag']),
  row('compat.tag_format', '^(.+)=(.+)$', [compat, 'parses tags of another format'], parsed),
  row(
    'compat.tag_extra_labels',
    ['region'],
    [compat, 'parses tags into labels of their own, the last of a key'],
    parsed,
  ),
  row(account('name'), 'other', several),
  row(account('base_url'), 'https://other.example.com', [
    'test/system/base-url-path.test.ts',
    'a key in the path of the base URL is sent, but not shown anywhere',
  ]),
  row(
    account('insecure_http'),
    true,
    ['test/config/load.test.ts', 'plain http to another machine takes insecure_http'],
    { [account('base_url')]: 'http://lab.example.com' },
  ),
  row(account('version'), '2.0', several, of2x),
  row(account('token'), 'another-token', bearer),
  { ...row(account('token_file'), 'token', bearer), insteadOf: account('token') },
  row(account('email'), 'b@example.com', legacy, of2x),
  row(account('password'), 'b-password-1', legacy, of2x),
  {
    ...row(account('password_file'), 'password', legacy, of2x),
    insteadOf: account('password'),
  },
  row(account('app_key'), 'b-app-key-1', legacy, of2x),
  { ...row(account('app_key_file'), 'app-key', legacy, of2x), insteadOf: account('app_key') },
  row(account('account_email'), 'shop@example.com', legacy, of2x),
  row(account('hook_secret'), 'a-webhook-secret-of-shop', hook),
  row(account('hook_secret_file'), 'secrets/hook', hook),
  row(account('budget.reserve.short'), 70, [inEffect, 'of %s is left of a window of 100 requests']),
  row(account('budget.reserve.long'), '50%', [keys, 'the reserve of each window is its own'], {
    [account('budget.reserve.short')]: 70,
  }),
  row(account('budget.fallback_requests_per_hour'), 30, [
    inEffect,
    'the fallback rate holds while the service does not tell its limits',
  ]),
  row(account('filters.include.ids'), [1], filtered),
  row(account('filters.include.names'), ['shop-*'], filtered),
  row(account('filters.include.tags'), ['critical'], byTag),
  row(account('filters.exclude.ids'), [1], filtered),
  row(
    account('filters.exclude.names'),
    ['shop-*'],
    [inEffect, 'that fits no transaction leaves none of their series'],
  ),
  row(account('filters.exclude.tags'), ['critical'], byTag),
  // The datasets differ in their names only: schedule and state take all of them alike.
  ...datasetNames.flatMap((name) => {
    const key = (of: string) => account(`datasets.${name}.${of}`);
    const isOn = name !== 'hours_of_day' && name !== 'active_probes';
    const rows = [
      row(key('floor'), '2d', [inEffect, 'is not refreshed more often than its floor']),
      row(key('max_staleness'), '40d', [inEffect, 'data are withdrawn after their own time']),
    ];
    if (name === 'checks') return rows;
    const switched = isOn
      ? 'that is switched off is never asked for'
      : 'that is off by default can be switched on';
    return [...rows, row(key('enabled'), !isOn, [inEffect, switched])];
  }),
  row(account('by_country'), true, [
    readings,
    'averages are asked for by country only if that is wanted',
  ]),
  row(
    account('response_time_buckets'),
    [0.2, 2.5],
    [keys, 'stored data of an account follow its changed settings'],
  ),
  row(account('transaction_response_unit'), 'microseconds', [
    readings,
    'the unit of the response times of transactions is the one that is configured',
  ]),
  row(account('timeouts.connect'), '1s', [
    failures,
    'a handshake of more than the configured time',
  ]),
  row(account('timeouts.headers'), '3s', [readings, 'is waited for as long as is configured']),
  row(account('timeouts.body'), '3s', [failures, 'a pause of a configured 3 s within the body']),
  row(account('timeouts.total'), '20s', [failures, 'a body that drips for a configured 20 s']),
  row(account('max_body_size'), '1MiB', [readings, 'may be as long as is configured']),
  row(account('ca_file'), 'ca.pem', [
    connection,
    'a service whose authority is unknown is refused, and trusted once its certificate is given',
  ]),
  row(account('proxy'), 'http://proxy.example.com:3128', [
    connection,
    'everything goes through the proxy, with its credentials and without those of the account',
  ]),
  row(account('concurrency'), 1, [readings, 'at most %d requests are under way at the same time']),
];
