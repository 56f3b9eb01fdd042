import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { generatedRuleFiles } from '../../alerts/source/rule-files.ts';
import { alertRules, ruleGroups } from '../../alerts/source/rule-groups.ts';
import { missing, toolPath } from '../support/tools.ts';
import { unknownNames } from './expression-names.ts';

const root = join(import.meta.dirname, '..', '..');
const files = generatedRuleFiles();

test.each([...files])('%s is what its source says', async (path, text) => {
  await expect(text).toMatchFileSnapshot(join(root, path));
});

describe.skipIf(missing('promtool'))('promtool', () => {
  test.each([...files.keys()].filter((path) => path.startsWith('alerts/')))(
    'accepts %s',
    (path) => {
      const output = execFileSync(toolPath('promtool'), ['check', 'rules', join(root, path)]);
      expect(output.toString()).toMatch(/SUCCESS: \d+ rules found/);
    },
  );
});

test('the Kubernetes object has every group of the rule files', () => {
  const groups = (path: string) => parse(readFileSync(join(root, path), 'utf8'));
  const ofFiles = ['slo', 'checks', 'exporter'].flatMap(
    (name) => groups(`alerts/${name}.yaml`).groups,
  );
  expect(groups('deploy/kubernetes/prometheus-rule.yaml').spec.groups).toEqual(ofFiles);
});

test('every metric and label in the rules exists', () => {
  const rules = ruleGroups.flatMap((group) => group.rules);
  const unknown = rules.flatMap(({ expr }) => unknownNames(expr));
  expect(unknown).toEqual([]);
});

test.each(alertRules)('$alert is named, worded and linked as the others are', (rule) => {
  expect(rule.alert).toMatch(/^Uptime([A-Z][a-z]+)+$/);
  expect(rule.summary).not.toMatch(/\n|\.$/);
  expect(rule.description).toMatch(/\.$/);
  expect(rule.description).toMatch(/\$labels\.(account|instance)|no target/);
});

describe('the runbook', () => {
  const runbook = readFileSync(join(root, 'docs', 'runbook.md'), 'utf8');
  const sections = runbook.split(/^## /m).slice(1);
  const names = [...new Set(alertRules.map(({ alert }) => alert))];

  test('has one section for each alert and no other', () => {
    expect(sections.map((section) => section.split('\n')[0]).sort()).toEqual(names.sort());
  });

  test.each(sections)('says meaning, impact, diagnosis and what to do: %s', (section) => {
    const parts = [...section.matchAll(/^\*\*(.+?)\.\*\*/gm)].map(([, part]) => part);
    expect(parts).toEqual(['Meaning', 'Impact', 'Diagnosis', 'What to do']);
  });
});
