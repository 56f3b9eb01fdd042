import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Copies the rules and the dashboards to where Helm and kubectl read them, using the built program:
// a chart holds nothing from outside its folder.

const root = fileURLToPath(new URL('..', import.meta.url));
const files = join(root, 'deploy/helm/uptime-exporter/files');
const boards = join(root, 'dashboards');

mkdirSync(join(files, 'dashboards'), { recursive: true });
for (const name of readdirSync(boards).filter((file) => file.endsWith('.json'))) {
  copyFileSync(join(boards, name), join(files, 'dashboards', name));
}
copyFileSync(join(root, 'src/rules/rules.yaml'), join(files, 'rules.yaml'));
const rules = [join(root, 'dist/main.js'), 'rules', '--format=prometheusrule'];
writeFileSync(
  join(root, 'deploy/kubernetes/prometheus-rule.yaml'),
  execFileSync(process.execPath, rules, { maxBuffer: 1 << 24 }),
);
