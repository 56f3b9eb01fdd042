import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import {
  PodMonitor,
  PrometheusRule,
  ServiceMonitor,
} from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { generatedDashboards } from '../../dashboards/source/dashboards.ts';
import { valuesDefinitions } from '../../src/rules/chart/values-schema.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { runCommandLine } from '../support/command-line.ts';
import { missing, toolPath } from '../support/tools.ts';
import {
  chartFolder,
  helm,
  type KubernetesObject,
  objectsOf,
  root,
  template,
  templateWith,
} from './chart.ts';
import { writeKubernetesSchemas } from './kubernetes-schemas.ts';

const run = promisify(execFile);
const here = import.meta.dirname;
const cases = readdirSync(join(here, 'values')).map((file) => file.replace('.yaml', ''));
const valuesOf = (name: string) => join(here, 'values', `${name}.yaml`);
const noHelm = missing('helm');
const operatorKinds = { ServiceMonitor, PodMonitor, PrometheusRule };
const dashboards = new Map(
  [...generatedDashboards()].map(([path, json]) => [basename(path), json] as const),
);
const dashboardFiles = [...dashboards.keys()].sort();

async function rendered(): Promise<KubernetesObject[]> {
  return (await Promise.all(cases.map(manifestOf))).flatMap(objectsOf);
}

/** Every values file is rendered once, because the chart does not change during the tests. */
const manifests = new Map<string, Promise<string>>();
function manifestOf(name: string): Promise<string> {
  const manifest = manifests.get(name) ?? template(valuesOf(name));
  manifests.set(name, manifest);
  return manifest;
}

const ofOperator = (object: KubernetesObject) => object.apiVersion.startsWith('monitoring.coreos');

interface Summary {
  readonly kind: string;
  spec?: unknown;
  data?: unknown;
}

/** Rules and dashboards are compared elsewhere, so their contents are replaced here. */
function summarised(manifest: string): Summary[] {
  return objectsOf(manifest).map((object) => {
    const copy: Summary = { ...object };
    if (object.kind === 'PrometheusRule') copy.spec = '(the rules)';
    if (object.metadata.name.includes('-dashboard-')) copy.data = '(a dashboard)';
    return copy;
  });
}

/** The leaves of a value by their paths, in which entries of a list have their names, if they have any. */
function leavesOf(value: unknown, path: readonly string[] = []): [path: string, leaf: unknown][] {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const names = Array.isArray(value) ? value.map((entry) => entry?.name) : [];
  const isNamed = names.every((name) => name !== undefined) && new Set(names).size === names.length;
  if (entries.length === 0 || !isNamed) return [[path.join('/'), value]];
  return entries.flatMap(([key, one], place) =>
    leavesOf(one, [...path, Array.isArray(value) ? `[${names[place]}]` : key]),
  );
}

/** The keys of mappings at any depth, with their values; those of a list have the key of the list. */
function fieldsOf(value: unknown, of = ''): [key: string, value: unknown][] {
  if (typeof value !== 'object' || value === null) return [[of, value]];
  const entries = Object.entries(value);
  return entries.flatMap(([key, one]) => fieldsOf(one, Array.isArray(value) ? of : key));
}

/** Keys whose values are names. */
const isText = /^(namespace|key|replacement|matchNames|app\.kubernetes\.io\/instance|\w*[nN]ame)$/;

/** What the values of a case change in the objects of the smallest values; what they add is whole. */
function changed(objects: readonly Summary[], smallest: readonly Summary[]): string {
  const without = smallest.filter(({ kind }) => !objects.some((one) => one.kind === kind));
  const unchanged: unknown[] = [];
  const texts = objects.flatMap((object) => {
    const base = smallest.find(({ kind }) => kind === object.kind);
    if (base === undefined) return stringify(object);
    const [leaves, before] = [new Map(leavesOf(object)), new Map(leavesOf(base))];
    const others = [...leaves].filter(
      ([path, leaf]) => JSON.stringify(leaf) !== JSON.stringify(before.get(path)),
    );
    const removed = [...before.keys()].filter((path) => !leaves.has(path));
    if (others.length + removed.length === 0) {
      unchanged.push(object.kind);
      return [];
    }
    return stringify({ kind: object.kind, changed: Object.fromEntries(others), removed });
  });
  const kinds = { unchanged, without: without.map(({ kind }) => kind) };
  return [stringify(kinds), ...texts].join('---\n');
}

describe.skipIf(noHelm)('the Helm chart', () => {
  test.each(cases)(
    'with the values of %s is linted, and renders what is expected',
    async (name) => {
      await helm('lint', '--strict', '--quiet', chartFolder, `--values=${valuesOf(name)}`);
      const objects = summarised(await manifestOf(name));
      const smallest = summarised(await manifestOf('minimal'));
      const isWhole = name === 'minimal' || name === 'everything';
      const text = isWhole
        ? objects.map((one) => stringify(one)).join('---\n')
        : changed(objects, smallest);
      await expect(text).toMatchFileSnapshot(join(here, 'golden', `${name}.yaml`));
    },
  );

  const nonsense: [string, object, RegExp][] = [
    ['no account', {}, /accounts is empty/],
    ['an unknown value', { replicas: 2 }, /additional properties 'replicas' not allowed/],
    ['a misspelt value of an account', { accounts: [{ ...account(), tokn: 'x' }] }, /'tokn'/],
    ['an account without a secret', { accounts: [{ name: 'a', baseUrl: 'https://a' }] }, /anyOf/],
    ['an account without an address', { accounts: [{ name: 'a' }] }, /missing property 'baseUrl'/],
    ['an account of 2.1 without a user', { accounts: [account({ version: '2.1' })] }, /'email'/],
    ['a version that there is not', { accounts: [account({ version: '4' })] }, /version/],
    ['a name that is not a path', { accounts: [account({ name: '../x' })] }, /pattern/],
    [
      'an address with the path of the API',
      { accounts: [account({ baseUrl: 'https://api.example.com/api/3.1' })] },
      /the baseUrl of "a" must end before \/api, which the exporter adds with the version/,
    ],
    [
      'an address that is not encrypted',
      { accounts: [account({ baseUrl: 'http://api.example.com' })] },
      /the baseUrl of "a" must begin with https:\/\//,
    ],
    [
      'an address with a query',
      { accounts: [account({ baseUrl: 'https://api.example.com?token=x' })] },
      /must have neither user, query nor fragment/,
    ],
    [
      'a token beside a Secret',
      { accounts: [account({ token: 'x' })] },
      /"a" has token and existingSecret; set only one of them/,
    ],
    ['two accounts of one name', { accounts: [account(), account()] }, /two accounts are named/],
    [
      'two replicas without a database',
      { accounts: [account()], replicaCount: 2 },
      /above 1 needs database.url/,
    ],
    [
      'a database without a user',
      { accounts: [account()], database: { url: 'postgres://db.example.com/uptime' } },
      /database\/url/,
    ],
    [
      'a password in the URL of a database',
      { accounts: [account()], database: { url: 'postgres://a:b@db.example.com/uptime' } },
      /must have no password/,
    ],
    [
      'a shared store, which serve does not know',
      { accounts: [account()], sharedStore: { existingSecret: 'x' } },
      /'sharedStore' not allowed/,
    ],
    [
      'a prefix with a query',
      { accounts: [account()], web: { routePrefix: '/a?b' } },
      /routePrefix/,
    ],
    [
      'a probe period of no time',
      { accounts: [account()], livenessProbe: { periodSeconds: 0 } },
      /periodSeconds/,
    ],
    [
      'a misspelt dataset',
      { accounts: [account({ settings: { datasets: { resuls: {} } } })] },
      /'resuls'/,
    ],
    [
      'a version among the settings',
      { accounts: [account({ settings: { version: 9 } })] },
      /'version'/,
    ],
    [
      'a pace in words',
      { accounts: [account({ settings: { datasets: { results: { floor: 'often' } } } })] },
      /results\/floor/,
    ],
    ['a section that there is not', { accounts: [account()], config: { logs: {} } }, /'logs'/],
    [
      'a level that there is not',
      { accounts: [account()], config: { log: { level: 'loud' } } },
      /log\/level/,
    ],
    ...['Mars', 'Berlin', 'Europe', ''].map((zone): [string, object, RegExp] => [
      `the time zone "${zone}"`,
      { accounts: [account()], config: { report: { time_zone: zone } } },
      /report\/time_zone/,
    ]),
    [
      'a port in `config`, where probes do not look for it',
      { accounts: [account()], config: { web: { listen_address: ':9' } } },
      /'listen_address'/,
    ],
    ['accounts in `config`', { accounts: [account()], config: { accounts: {} } }, /config/],
    ['accounts twice', { accounts: [account()], existingConfigMap: 'x' }, /leave `accounts` empty/],
    ['two configurations', { existingConfigMap: 'one', existingConfigSecret: 'two' }, /not both/],
    [
      'two monitors',
      { accounts: [account()], serviceMonitor: { enabled: true }, podMonitor: { enabled: true } },
      /scraped twice/,
    ],
    [
      'a report without a sender',
      { accounts: [account()], report: { schedule: '0 6 1 * *' } },
      /report.schedule needs report.from, report.to, report.sender.image/,
    ],
    [
      'a report of several replicas',
      {
        accounts: [account()],
        replicaCount: 2,
        database: { url: 'postgres://a@db.example.com/uptime' },
        report: {
          ...{ schedule: '0 6 1 * *', from: 'a@b.example', to: 'a@b.example' },
          sender: { image: 'mail', command: ['send'] },
        },
      },
      /each of several reports only the accounts that it owns/,
    ],
    [
      'a report without the user that web.yml asks for',
      {
        accounts: [account()],
        web: { existingSecret: 'web', authentication: true },
        report: {
          ...{ schedule: '0 6 1 * *', from: 'a@b.example', to: 'a@b.example' },
          sender: { image: 'mail', command: ['send'] },
        },
      },
      /report.schedule needs report.exporterAuthSecret/,
    ],
    [
      'a monitor without the user that web.yml asks for',
      {
        accounts: [account()],
        web: { existingSecret: 'web', authentication: true },
        podMonitor: { enabled: true },
      },
      /the monitor needs basicAuth/,
    ],
    ['a digest that is none', { accounts: [account()], image: { digest: 'sha256:1' } }, /pattern/],
    ['a port out of range', { accounts: [account()], service: { port: 70_000 } }, /port/],
    ['a size in words', { accounts: [account()], persistence: { size: 'large' } }, /size/],
    ['a heap as text', { accounts: [account()], maxHeapMegabytes: '1G' }, /integer/],
  ];

  test.each(nonsense)('refuses %s', async (_what, values, reason) => {
    const file = join(await temporaryFolder(), 'values.yaml');
    await writeFile(file, stringify(values));
    await expect(template(file)).rejects.toThrow(reason);
  });

  describe.skipIf(missing('helm-3'))('with Helm 3 and jsonschema 6.0.2', () => {
    test.each(cases)('and the values of %s renders the same', async (name) => {
      const manifest = await templateWith('helm-3', valuesOf(name));
      expect(objectsOf(manifest)).toEqual(objectsOf(await manifestOf(name)));
    });

    test.each(nonsense)('refuses %s', async (_what, values, reason) => {
      const file = join(await temporaryFolder(), 'values.yaml');
      await writeFile(file, stringify(values));
      await expect(templateWith('helm-3', file)).rejects.toThrow(reason);
    });
  });

  test('takes the versions of the API as text and as numbers', async () => {
    const folder = await temporaryFolder();
    for (const version of ['"3.1"', '3.1', '"2.1"', '2.1', '"2.0"']) {
      const file = join(folder, 'values.yaml');
      const values = {
        accounts: [{ ...account({ email: 'a@b.example' }), version: parse(version) }],
      };
      await writeFile(file, stringify(values));
      expect(await template(file), version).toContain(`version: "${version.replaceAll('"', '')}"`);
    }
  });

  test.skipIf(missing('kubeconform'))('is what Kubernetes takes', async () => {
    const folder = await temporaryFolder();
    const objects = (await rendered()).filter((object) => !ofOperator(object));
    await writeKubernetesSchemas(folder, new Set(objects.map(({ kind }) => kind)));
    const manifest = join(folder, 'objects.yaml');
    await writeFile(manifest, objects.map((object) => stringify(object)).join('---\n'));
    const location = `${folder}/{{.ResourceKind}}{{.KindSuffix}}.json`;
    const check = async (file: string) => {
      const args = ['-strict', '-summary', '-schema-location', location, file];
      const outcome = await run(toolPath('kubeconform'), args).catch(({ stdout }) => ({ stdout }));
      return outcome.stdout;
    };
    expect(await check(manifest)).toContain(
      `Valid: ${objects.length}, Invalid: 0, Errors: 0, Skipped: 0`,
    );

    const wrong = join(folder, 'wrong.yaml');
    await writeFile(wrong, stringify({ ...objects[0], speck: {} }));
    expect(await check(wrong)).toContain('Invalid: 1');
    for (const object of objects) {
      const version = `kubernetes-models/${object.apiVersion}`;
      const kinds = await import(/* @vite-ignore */ version);
      new kinds[object.kind](object).validate();
    }
  });

  test('is what the Prometheus operator takes, and has no field that it does not know', async () => {
    const objects = (await rendered()).filter(ofOperator);
    expect(new Set(objects.map(({ kind }) => kind))).toEqual(new Set(Object.keys(operatorKinds)));
    for (const object of objects) {
      const Kind = operatorKinds[object.kind as keyof typeof operatorKinds];
      new Kind(object as never).validate();
    }

    // The operator supports it since 0.66, but the types are older.
    const typed = objects.map((object) => JSON.stringify(object, without('keep_firing_for')));
    const folder = join(root, 'build', 'chart-types');
    await mkdir(folder, { recursive: true });
    const source = [
      "import type * as operator from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';",
      ...objects.map(
        (object, index) =>
          `export const object${index} = ${typed[index]} satisfies operator.I${object.kind};`,
      ),
    ];
    source.push('// @ts-expect-error');
    source.push(
      'export const wrong = { spec: { groups: [], speck: 1 } } satisfies operator.IPrometheusRule;',
    );
    await writeFile(join(folder, 'objects.ts'), source.join('\n'));
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext'];
    const tsc = join(root, 'node_modules/.bin/tsc');
    const args = ['--ignoreConfig', ...options, join(folder, 'objects.ts')];
    const outcome = await run(tsc, args).catch(({ stdout }) => ({ stdout }));
    expect(outcome.stdout).toBe('');
  });

  test('packaged, it has rules and dashboards and renders the same', async () => {
    const folder = await temporaryFolder();
    await helm('package', chartFolder, `--destination=${folder}`);
    const { version } = parse(await readFile(join(chartFolder, 'Chart.yaml'), 'utf8'));
    const archive = join(folder, `uptime-exporter-${version}.tgz`);
    const { stdout } = await run('tar', ['-tzf', archive]);
    expect(stdout).toContain('files/rules.yaml');
    for (const file of dashboardFiles) expect(stdout).toContain(`files/dashboards/${file}`);

    const values = `--values=${valuesOf('everything')}`;
    const packaged = await helm('template', 'uptime', archive, '--namespace=sre', values);
    expect(packaged).toBe(await manifestOf('everything'));
  });

  test('renders every dashboard as it is, and groups of rules that are given after its own', async () => {
    const objects = objectsOf(await manifestOf('everything'));
    const rules = objects.find(({ kind }) => kind === 'PrometheusRule') as unknown as {
      spec: { groups: { name: string }[] };
    };
    expect(rules.spec.groups.map(({ name }) => name).slice(-2)).toEqual(['uptime-polling', 'ours']);
    const shown = objects.flatMap(({ data }) => Object.entries((data ?? {}) as object));
    for (const file of dashboardFiles) {
      const [, text] = shown.find(([name]) => name === file) ?? [];
      expect(JSON.parse(text)).toEqual(JSON.parse(read(`dashboards/${file}`)));
    }
  });

  test.each([
    [undefined, '/uptime', undefined],
    ['/', '', '--web.route-prefix=/'],
    ['other', '/other', '--web.route-prefix=/other'],
  ])(
    'below an external URL with a path and the route prefix %s, probes and monitor find the paths of the exporter',
    async (routePrefix, prefix, flag) => {
      const file = join(await temporaryFolder(), 'values.yaml');
      const values = {
        accounts: [account()],
        config: { web: { external_url: 'https://example.com/uptime/' } },
        serviceMonitor: { enabled: true },
        dashboards: { enabled: true },
        ...(routePrefix !== undefined && { web: { routePrefix } }),
      };
      await writeFile(file, stringify(values));
      const manifest = await template(file);
      const paths = [...manifest.matchAll(/^ +path: (\/.*)$/gm)].map(([, path]) => path);
      const probed = ['/-/healthy', '/-/healthy', '/-/ready'];
      // Without a path, the operator scrapes /metrics.
      const scraped = prefix === '' ? [] : ['/metrics'];
      expect(paths).toEqual([...probed, ...scraped].map((path) => prefix + path));
      expect(/--web\.route-prefix=.*/.exec(manifest)?.[0]).toBe(flag);
      expect(manifest).toContain('"query": "https://example.com/uptime"');
      expect(manifest).not.toContain('localhost:9158');
    },
  );

  test('with the longest name has objects of different names', async () => {
    const file = join(await temporaryFolder(), 'values.yaml');
    const values = {
      ...parse(await readFile(valuesOf('everything'), 'utf8')),
      fullnameOverride: 'a'.repeat(63),
    };
    await writeFile(file, stringify(values));
    const names = objectsOf(await template(file)).map(
      ({ kind, metadata }) => `${kind} ${metadata.name}`,
    );
    expect(new Set(names).size).toBe(names.length);
  });

  test.each([
    [{}, '', 'UTC'],
    [{ report: { time_zone: 'America/Los_Angeles' } }, '', 'America/Los_Angeles'],
    [{ report: { time_zone: 'America/Los_Angeles' } }, 'Europe/Berlin', 'Europe/Berlin'],
  ])(
    'mails the report in the time zone of its months: %j with %j',
    async (config, timeZone, zone) => {
      const file = join(await temporaryFolder(), 'values.yaml');
      const report = {
        ...{ schedule: '0 6 1 * *', timeZone, from: 'a@b.example', to: 'a@b.example' },
        sender: { image: 'mail', command: ['send'] },
      };
      await writeFile(file, stringify({ accounts: [account()], config, report }));
      const job = objectsOf(await template(file)).find(({ kind }) => kind === 'CronJob');
      expect(job?.spec).toMatchObject({ timeZone: zone });
    },
  );

  test('has the defaults where `config:` has nothing below it', async () => {
    const file = join(await temporaryFolder(), 'values.yaml');
    const report = {
      ...{ schedule: '0 6 1 * *', from: 'a@b.example', to: 'a@b.example' },
      sender: { image: 'mail', command: ['send'] },
    };
    await writeFile(file, stringify({ accounts: [account()], config: null, report }));
    const manifest = await template(file);
    await writeFile(file, stringify({ accounts: [account()], report }));
    expect(manifest).toBe(await template(file));
  });

  test('leaves out a probe that is null', async () => {
    const file = join(await temporaryFolder(), 'values.yaml');
    const probes = { startupProbe: null, livenessProbe: null, readinessProbe: null };
    await writeFile(file, stringify({ accounts: [account()], ...probes }));
    const manifest = await template(file);
    expect(objectsOf(manifest).map(({ kind }) => kind)).toContain('Deployment');
    expect(manifest).not.toMatch(/Probe:/);
  });

  test('has the defaults where lists and parameters have nothing below them', async () => {
    const file = join(await temporaryFolder(), 'values.yaml');
    const valuesWith = (nothing: object, noRules: object) => ({
      accounts: [account()],
      serviceMonitor: { enabled: true, ...nothing },
      prometheusRule: { enabled: true, ...noRules },
    });
    const [nothing, noRules] = [
      { relabelings: null, metricRelabelings: null },
      { parameters: null, additionalGroups: null },
    ];
    await writeFile(file, stringify(valuesWith(nothing, noRules)));
    const manifest = await template(file);
    await writeFile(file, stringify(valuesWith({}, {})));
    expect(manifest).toBe(await template(file));
  });

  test('takes names that YAML would read as numbers or as mappings', async () => {
    const file = join(await temporaryFolder(), 'values.yaml');
    const name = '1e3';
    const values = {
      accounts: [account({ existingSecret: name, secretKeys: { token: name } })],
      web: { existingSecret: name },
      persistence: { storageClassName: name },
      database: { existingSecret: name, secretKey: name, caSecret: name, caSecretKey: name },
      serviceMonitor: { enabled: true, namespace: '7', instance: 'shop: eu' },
      priorityClassName: name,
      runtimeClassName: name,
    };
    for (const url of ['', 'postgres://a@db.example.com/uptime']) {
      await writeFile(file, stringify({ ...values, database: { ...values.database, url } }));
      const args = [`--namespace=${name}`, `--values=${file}`];
      const objects = objectsOf(await helm('template', '2026', chartFolder, ...args));
      const fields = fieldsOf(objects);
      expect(
        fields.filter(([key, value]) => isText.test(key) && typeof value !== 'string'),
      ).toEqual([]);
      expect(fields.filter(([, value]) => value === name).length).toBeGreaterThan(8);
      expect(fields).toContainEqual(['app.kubernetes.io/instance', '2026']);
      expect(fields).toContainEqual(['replacement', 'shop: eu']);
    }
  });

  test('takes the condition and the global values of a chart that depends on it', async () => {
    const file = join(await temporaryFolder(), 'values.yaml');
    await writeFile(file, stringify({ accounts: [account()] }));
    const manifest = await template(file);
    const ofParent = { enabled: true, global: { registry: 'example.com' } };
    await writeFile(file, stringify({ accounts: [account()], ...ofParent }));
    expect(await template(file)).toBe(manifest);
  });

  test('takes up a Secret that changes', async () => {
    expect(await manifestOf('minimal')).toContain('--config.enable-auto-reload');
  });

  test.each(cases)('with the values of %s starts `serve` with flags that it has', async (name) => {
    const objects = objectsOf(await manifestOf(name));
    const { spec } = objects.find(({ kind }) => kind === 'Deployment') as never as {
      spec: { template: { spec: { containers: { args: string[] }[] } } };
    };
    const [command, ...flags] = spec.template.spec.containers[0]?.args ?? [];
    // Flags are read before the configuration, which does not exist here.
    const argv = [String(command), ...flags, '--config.check'];
    const { exitCode, output } = await runCommandLine(argv);
    expect(exitCode).toBe(1);
    expect(output).toMatch(/cannot read/);
    expect(output).not.toMatch(/unknown option/);
  });

  test.each(cases.filter((name) => name !== 'external-config'))(
    'with the values of %s mounts what check-config finds right',
    async (name) => {
      const folder = await temporaryFolder();
      await mountConfiguration(objectsOf(await manifestOf(name)), folder);
      const { exitCode, output } = await runCommandLine([
        'check-config',
        join(folder, 'uptime.yaml'),
      ]);
      expect(exitCode, output).toBe(0);
    },
  );
});

test('of the chart, the schema of the values matches its source', async () => {
  const path = join(chartFolder, 'values.schema.json');
  const written = { ...JSON.parse(read(relative(root, path))), definitions: valuesDefinitions() };
  await expect(`${JSON.stringify(written, null, 2)}\n`).toMatchFileSnapshot(path);
});

test('chart and application have the version of the package', () => {
  const { version } = JSON.parse(read('package.json'));
  expect(parse(readFileSync(join(chartFolder, 'Chart.yaml'), 'utf8'))).toMatchObject({
    version,
    appVersion: version,
  });
});

/** A replacer for JSON that leaves a field out. */
function without(field: string) {
  return (key: string, value: unknown) => (key === field ? undefined : value);
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function account(fields: object = {}) {
  return { name: 'a', baseUrl: 'https://a.example', existingSecret: 's', ...fields };
}

interface Source {
  readonly configMap?: { readonly name: string };
  readonly secret?: {
    readonly items: readonly { readonly key: string; readonly path: string }[];
  };
}

/** Like the kubelet: the pod's volume `config` as a folder, with made-up secrets. */
async function mountConfiguration(objects: readonly KubernetesObject[], folder: string) {
  const find = (kind: string) => objects.find((object) => object.kind === kind) as never;
  const { spec } = find('Deployment') as {
    spec: {
      template: { spec: { volumes: { name: string; projected?: { sources: Source[] } }[] } };
    };
  };
  const volume = spec.template.spec.volumes.find(({ name }) => name === 'config');
  const { data } = find('ConfigMap') as { data: Record<string, string> };
  for (const { configMap, secret } of volume?.projected?.sources ?? []) {
    if (configMap !== undefined) {
      for (const [name, text] of Object.entries(data)) await writeFile(join(folder, name), text);
    }
    for (const { path } of secret?.items ?? []) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), 'secret-12345678\n');
    }
  }
}
