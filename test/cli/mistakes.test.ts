import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { runCommandLine } from '../support/command-line.ts';
import { selfSigned } from '../support/self-signed.ts';

interface Mistake {
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Texts of files keyed by name. FOLDER in `argv`, `env` and `message` stands for their folder.
   */
  readonly files?: Readonly<Record<string, string>>;
}

const url = { UPTIME_API_BASE_URL: 'https://api.example.com' };
const account = { ...url, UPTIME_API_TOKEN: 'token-12345678' };

/** Each with the required parts of its message: the place, the value, and the remedy. */
const byEnvironmentAndFlags: readonly [name: string, Mistake, place: string, remedy: string][] = [
  [
    'nothing is set',
    {},
    'UPTIME_API_BASE_URL is not set',
    'uptime-exporter demo (in a clone: npm run demo)',
  ],
  [
    'the address has quotation marks',
    { env: { ...account, UPTIME_API_BASE_URL: '"https://api.example.com"' } },
    'UPTIME_API_BASE_URL: must not contain quotation marks',
    'remove them',
  ],
  [
    'the address has a port that is too high',
    { env: { ...account, UPTIME_API_BASE_URL: 'https://api.example.com:99999' } },
    'UPTIME_API_BASE_URL: found the port 99999',
    'must be at most 65535',
  ],
  [
    'the address has a number before an @ that may be a password',
    { env: { ...account, UPTIME_API_BASE_URL: 'https://me:4242424242/@api.example.com' } },
    'UPTIME_API_BASE_URL: the port',
    'must be at most 65535',
  ],
  [
    'the token has a space',
    { env: { ...account, UPTIME_API_TOKEN: 'Bearer hunter2' } },
    'UPTIME_API_TOKEN: does not hold a token: one word of visible ASCII characters',
    'leave out "Bearer"',
  ],
  [
    'the token is set twice',
    { env: { ...account, UPTIME_API_TOKEN_FILE: '/run/token' } },
    'UPTIME_API_TOKEN_FILE: ',
    'set UPTIME_API_TOKEN or UPTIME_API_TOKEN_FILE, not both',
  ],
  [
    'a variable is misspelt',
    { env: { ...url, UPTIME_API_TOKN: 'hunter2' } },
    'unknown variable UPTIME_API_TOKN',
    'did you mean "UPTIME_API_TOKEN"?\n  - neither UPTIME_API_TOKEN nor',
  ],
  [
    'the secret of the webhook is short',
    { env: { ...account, UPTIME_API_HOOK_SECRET: 'hunter2' } },
    'UPTIME_API_HOOK_SECRET: does not hold a secret',
    'of 16 to 128 letters, digits, - and _',
  ],
  [
    'a flag is misspelt before the command',
    { argv: ['--web.listen-adress=:9158', 'serve'], env: account },
    'unknown option --web.listen-adress',
    'did you mean "--web.listen-address"?',
  ],
  [
    'a flag is of another command',
    { argv: ['demo', '--storage.path=data'] },
    'demo has no --storage.path',
    'other commands have it: uptime-exporter serve --storage.path',
  ],
  [
    'a switch has a value',
    { argv: ['serve', '--config.check=yes'], env: account },
    '--config.check',
    'takes no value',
  ],
  ['help has a value', { argv: ['--help=rules'] }, '--help', 'takes no value'],
  ['the version has a value', { argv: ['--version=1'] }, '--version', 'takes no value'],
  [
    'a flag has the name that it has for rules',
    { argv: ['--config', 'nope.yaml'] },
    'unknown option --config',
    'did you mean "--config.file"?',
  ],
  [
    'a flag of rules has the name that it has for serve',
    { argv: ['rules', '--config.file=x.yaml'] },
    'unknown option --config.file',
    'did you mean "--config"?',
  ],
  [
    'the end of a flag is missing',
    { argv: ['--web.config=web.yml'] },
    'unknown option --web.config',
    'did you mean "--web.config.file"?',
  ],
  [
    'the beginning of a flag is missing',
    { argv: ['--listen-address=:9158'] },
    'unknown option --listen-address',
    'did you mean "--web.listen-address"?',
  ],
  [
    'a flag has the name of another program',
    { argv: ['--port', '9158'] },
    'unknown option --port',
    'did you mean "--web.listen-address"?',
  ],
  [
    'a number is out of its range',
    { argv: ['rules', '--time-divisor=1001'] },
    '--time-divisor',
    'allowed: 1 to 1000',
  ],
  [
    'the file is given without a flag',
    { argv: ['serve', 'nope.yaml'] },
    'unknown command "nope.yaml"',
    'for a file: --config.file=nope.yaml',
  ],
  [
    'a command has an argument too many',
    { argv: ['rules', 'x.yaml'] },
    'rules does not take "x.yaml"',
    'for a file: --config=x.yaml',
  ],
  [
    'the address of an exporter is given without a flag',
    { argv: ['report', 'http://localhost:9158'] },
    'report does not take "http://localhost:9158"',
    'for an address: --exporter=http://localhost:9158',
  ],
  [
    'a command has a word too many',
    { argv: ['metrics', 'all'] },
    'metrics does not take "all"',
    'usage: uptime-exporter metrics [options]',
  ],
  [
    'the file of a command is given with a flag',
    { argv: ['check-config', '--config.file=x.yaml'] },
    'check-config has no --config.file',
    'usage: uptime-exporter check-config [options] <file>',
  ],
  [
    'a command has an argument too few',
    { argv: ['check-config'] },
    "missing required argument 'file'",
    'usage: uptime-exporter check-config [options] <file>',
  ],
  [
    'the path of a flag is empty',
    { argv: ['--config.check', '--storage.path='], env: account },
    "'--storage.path <directory>' argument '' is invalid",
    'must be a path, and is empty',
  ],
  [
    'the path of the password of the database is empty',
    { argv: ['--config.check', '--storage.password-file='], env: account },
    "'--storage.password-file <file>' argument '' is invalid",
    'must be a path, and is empty',
  ],
  [
    'the path of the certificate of the database is empty',
    { argv: ['--config.check', '--storage.ca-file='], env: account },
    "'--storage.ca-file <file>' argument '' is invalid",
    'must be a path, and is empty',
  ],
  [
    'there is no such time zone',
    { argv: ['sandbox', '--wire=recorded,timeZone=Asia/Nowhere'] },
    "argument 'recorded,timeZone=Asia/Nowhere' is invalid",
    'must be a zone of the time zone database, such as Asia/Kolkata',
  ],
  [
    'the webhook has no scheme',
    { argv: ['sandbox', '--webhook=127.0.0.1:9158'] },
    "argument '127.0.0.1:9158' is invalid",
    'must be an http or https address, such as http://127.0.0.1:9158/hooks/SECRET',
  ],
  [
    'a lag is in words',
    { argv: ['sandbox', '--wire=recorded,reportLagSeconds=long'] },
    "argument 'recorded,reportLagSeconds=long' is invalid",
    'must be a number of seconds, such as 600, or a range, such as 0-900',
  ],
  [
    'the address to listen on is a number',
    { argv: ['--web.listen-address=9158'], env: account },
    "'--web.listen-address <address>' argument '9158' is invalid",
    'examples: ":9158"',
  ],
  [
    'there is no such log level',
    { argv: ['--log.level=loud'], env: account },
    "'--log.level <level>' argument 'loud' is invalid",
    'debug, info, warn, error',
  ],
  [
    'data are kept in a directory and in a database',
    { argv: ['--storage.path=data', '--storage.url=postgres://u@db/uptime'], env: account },
    'storage.url is a database instead of the directory storage.path',
    'set one of them, not both',
  ],
  [
    'the metrics are at the path of the report',
    { argv: ['--web.telemetry-path=/report'], env: account },
    "'--web.telemetry-path <path>' argument '/report' is invalid",
    'the path /report is reserved for the report',
  ],
  [
    'the storage path is a file',
    { argv: ['--storage.path=FOLDER/data'], env: account, files: { data: '' } },
    'cannot use the storage path FOLDER/data: it is a file, and a folder is needed there',
    'choose another path, or move the file away',
  ],
  [
    'the URL of the database has a password',
    { argv: ['--storage.url=postgres://u:hunter2@db/uptime'], env: account },
    '--storage.url must have no password',
    'put it into a file, see --storage.password-file',
  ],
  [
    'the URL from outside has a password',
    { argv: ['--web.external-url=https://u:hunter2@example.com'], env: account },
    '--web.external-url',
    'must have neither user, query nor fragment',
  ],
  [
    'there is no such command',
    { argv: ['srve'], env: account },
    'unknown command "srve"',
    'did you mean "serve"?',
  ],
  [
    'a set of rules that there is not',
    { argv: ['rules', '--with=slow,everything'] },
    "option '--with <sets>' argument 'slow,everything' is invalid",
    'allowed: slow, groups, housekeeping, exporter, replicas',
  ],
];

const shop = '- { name: shop, base_url: "https://api.example.com", token: hunter2';

function configuration(text: string): Mistake {
  return { argv: ['--config.file=FOLDER/uptime.yaml'], files: { 'uptime.yaml': text } };
}

function webConfiguration(text: string, files: Mistake['files'] = {}): Mistake {
  const argv = ['--web.config.file=FOLDER/web.yml'];
  return { argv, env: account, files: { 'web.yml': text, ...files } };
}

function newKey(
  encryption: { readonly cipher?: string; readonly passphrase?: string } = {},
): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return privateKey.export({ type: 'pkcs8', format: 'pem', ...encryption }).toString();
}

const inFiles: readonly [name: string, Mistake, place: string, remedy: string][] = [
  [
    'a section is misspelt',
    configuration(`acounts:\n  ${shop} }`),
    'FOLDER/uptime.yaml:1:1: the file: unknown key "acounts"',
    'did you mean "accounts"?',
  ],
  [
    'an objective matches nothing',
    configuration(`objectives: { rules: [{ ratio: 0.99 }] }\naccounts:\n  ${shop} }`),
    'FOLDER/uptime.yaml:1:23: objectives.rules[0]: matches nothing',
    'give it ids, names, tags or groups',
  ],
  [
    'an objective allows no error',
    configuration(`objectives: { default: 1 }\naccounts:\n  ${shop} }`),
    'FOLDER/uptime.yaml:1:24: objectives.default: found 1',
    'below 1, such as 0.9995',
  ],
  [
    'there is no web configuration',
    { argv: ['--web.config.file=FOLDER/web.yml'], env: account },
    'cannot read the web configuration FOLDER/web.yml: there is no such file',
    'create it, or correct the path',
  ],
  [
    'the file of the certificate holds the key',
    webConfiguration('tls_server_config: { cert_file: key.pem, key_file: key.pem }', {
      'key.pem': selfSigned.key,
    }),
    'FOLDER/web.yml: tls_server_config.cert_file: FOLDER/key.pem holds no PEM certificate',
    '-----BEGIN CERTIFICATE-----',
  ],
  [
    'the file of the key holds the certificate',
    webConfiguration('tls_server_config: { cert_file: c.pem, key_file: c.pem }', {
      'c.pem': selfSigned.cert,
    }),
    'FOLDER/web.yml: tls_server_config.key_file: FOLDER/c.pem holds no PEM private key',
    '-----BEGIN PRIVATE KEY-----',
  ],
  [
    'the key is encrypted',
    webConfiguration('tls_server_config: { cert_file: c.pem, key_file: key.pem }', {
      'c.pem': selfSigned.cert,
      'key.pem': newKey({ cipher: 'aes-256-cbc', passphrase: 'hunter2' }),
    }),
    'FOLDER/web.yml: tls_server_config.key_file: FOLDER/key.pem is encrypted',
    'store it without a password, as openssl pkey -in OLD -out NEW does',
  ],
  [
    'the key is of another certificate',
    webConfiguration('tls_server_config: { cert_file: c.pem, key_file: key.pem }', {
      'c.pem': selfSigned.cert,
      'key.pem': newKey(),
    }),
    'FOLDER/web.yml: tls_server_config.key_file: FOLDER/key.pem does not belong to the certificate FOLDER/c.pem',
    'name the key that the certificate was made for',
  ],
  [
    'a certificate is not named',
    webConfiguration('tls_server_config: { key_file: server.key }'),
    'FOLDER/web.yml:1:20: tls_server_config.cert_file: missing',
    'allowed: the path of a file',
  ],
  [
    'a key of the web configuration is misspelt',
    webConfiguration('basic_auth_user: { alice: hunter2 }'),
    'FOLDER/web.yml:1:1: the file: unknown key "basic_auth_user"; did you mean "basic_auth_users"?',
    'did you mean "basic_auth_users"?',
  ],
  [
    'an alert is misspelt',
    {
      argv: ['rules', '--config=FOLDER/rules.yaml'],
      files: { 'rules.yaml': 'alerts: { UptimeCheckDwon: { enabled: false } }' },
    },
    'FOLDER/rules.yaml:1:11: alerts: unknown key "UptimeCheckDwon"',
    'did you mean "UptimeCheckDown"?',
  ],
  [
    'the job of the rules is empty',
    { argv: ['rules', '--config=FOLDER/rules.yaml'], files: { 'rules.yaml': 'job: ""' } },
    'FOLDER/rules.yaml:1:6: job: is empty',
    'allowed: text',
  ],
];

async function outcomeOf({ argv = [], env = {}, files = {} }: Mistake) {
  const folder = await temporaryFolder();
  const inFolder = (text: string) => text.replaceAll('FOLDER', folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { exitCode, output } = await runCommandLine(
    argv.map(inFolder),
    Object.fromEntries(Object.entries(env).map(([name, value]) => [name, inFolder(value)])),
  );
  return { exitCode, output: output.replaceAll(folder, 'FOLDER') };
}

describe.each([
  ['by environment and flags', byEnvironmentAndFlags, 40],
  ['in files', inFiles, 12],
] as const)('mistakes %s', (_where, mistakes, count) => {
  test('are as many as the table says', () => {
    expect(mistakes).toHaveLength(count);
  });

  test.each(mistakes)(
    '%s: place, value and remedy are named',
    async (_name, mistake, place, remedy) => {
      const { exitCode, output } = await outcomeOf(mistake);
      expect(exitCode).toBe(1);
      expect(output).toContain(place);
      expect(output.slice(output.indexOf(place))).toContain(remedy);
      expect(output).not.toMatch(/hunter2|Invalid (input|option)|undefined|\n +at /);
      expect(output).not.toMatch(/\bE(NOENT|ISDIR|EXIST|NOTDIR|ACCES|NAMETOOLONG)\b/);
    },
  );
});

test('the demo reports a port in use before it prepares anything', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { exitCode, output } = await runCommandLine([
    'demo',
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  expect(exitCode).toBe(1);
  expect(output).toMatch(/^cannot listen on 127\.0\.0\.1:\d+: the port is in use\./);
});
