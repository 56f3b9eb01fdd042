import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { missing } from '../support/tools.ts';
import { chartFolder, helm, objectsOf, root } from './chart.ts';

const values = {
  accounts: [
    { name: 'default', baseUrl: 'https://api.pingdom.com', existingSecret: 'uptime-exporter' },
  ],
  serviceAccount: { create: false },
  persistence: { retain: false },
  serviceMonitor: { enabled: true },
};

const replicas = {
  ...values,
  replicaCount: 3,
  database: {
    url: 'postgres://uptime@db.example.com/uptime',
    existingSecret: 'uptime-exporter-database',
  },
};

const secretsFirst = [
  'First choose the name of the account below: counters are stored under it. Then the token:',
  '  kubectl create secret generic uptime-exporter --from-file=token=/path/to/the/token',
];

/** Each file with its values, its templates and its first lines. */
const files = {
  'exporter.yaml': {
    values,
    templates: ['config', 'persistentvolumeclaim', 'deployment', 'service'],
    heading: secretsFirst,
  },
  'service-monitor.yaml': {
    values,
    templates: ['servicemonitor'],
    heading: ['For the Prometheus operator.'],
  },
  'exporter-replicas.yaml': {
    values: replicas,
    templates: ['config', 'poddisruptionbudget', 'deployment', 'service'],
    heading: [
      'Several exporters that share the accounts over a PostgreSQL database (docs/replicas/operating.md).',
      ...secretsFirst,
      'Then the password of the database:',
      '  kubectl create secret generic uptime-exporter-database --from-file=password=/path/to/the/password',
    ],
  },
  'service-monitor-replicas.yaml': {
    values: replicas,
    templates: ['servicemonitor'],
    heading: ['For the Prometheus operator, with exporter-replicas.yaml.'],
  },
} as const;

describe.skipIf(missing('helm'))('of the plain manifests', () => {
  test.each(Object.entries(files))('%s matches its source', async (name, file) => {
    const valuesFile = join(await temporaryFolder(), 'values.yaml');
    await writeFile(valuesFile, stringify(file.values));
    const rendered = await helm(
      ...['template', 'uptime-exporter', chartFolder, `--values=${valuesFile}`],
      ...file.templates.map((template) => `--show-only=templates/${template}.yaml`),
    );
    const heading = [
      'Written by `npm run generate` from deploy/helm/uptime-exporter; change it there.',
      ...file.heading,
    ].map((line) => `# ${line}\n`);
    await expect(heading.join('') + plain(rendered)).toMatchFileSnapshot(
      join(root, 'deploy/kubernetes', name),
    );
  });
});

test.each([
  ['exporter.yaml', ['ConfigMap', 'PersistentVolumeClaim', 'Deployment', 'Service']],
  ['exporter-replicas.yaml', ['PodDisruptionBudget', 'ConfigMap', 'Service', 'Deployment']],
])('the plain manifests in %s are for any namespace', (name, kinds) => {
  const text = readFileSync(join(root, 'deploy/kubernetes', name), 'utf8');
  for (const { errors } of parseAllDocuments(text)) expect(errors).toEqual([]);
  const objects = objectsOf(text);
  expect(objects.map(({ kind }) => kind).sort()).toEqual([...kinds].sort());
  for (const { metadata } of objects) expect(metadata).not.toHaveProperty('namespace');
  expect(text).not.toMatch(/helm\.sh|Helm/);
});

/** Without the parts that only a release of Helm has. */
function plain(manifest: string): string {
  const ours =
    /^ +(helm\.sh\/(chart|resource-policy): .*|app\.kubernetes\.io\/managed-by: Helm|app\.kubernetes\.io\/instance: .*|namespace: .*|serviceAccountName: .*|checksum\/config: .*)\n/gm;
  return `${manifest
    .replace(/^# Source: .*\n/gm, '')
    .replace(ours, '')
    .replace(/\n{2,}/g, '\n')
    .replace(/^---\n/, '')
    .trimEnd()}\n`;
}
