import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { alertTable, parametersMarkdown } from '../../src/rules/pages.ts';
import { defaultParameters } from '../../src/rules/parameters.ts';
import { alertRules, prometheusRule, ruleFile, ruleFileNames } from '../../src/rules/rule-files.ts';
import { describeWith, promtools } from '../support/promtools.ts';
import { unknownNames } from './expression-names.ts';

const root = join(import.meta.dirname, '..', '..');
const generated = new Map([
  ...ruleFileNames.map((name) => [`alerts/${name}`, ruleFile(name, defaultParameters)] as const),
  ['deploy/kubernetes/prometheus-rule.yaml', prometheusRule(defaultParameters)],
  ['docs/alerts.md', alertTable(defaultParameters)],
  ['docs/rule-parameters.md', parametersMarkdown()],
]);
const rules = alertRules(defaultParameters);

test.each([...generated])('%s is what its source says', async (path, text) => {
  await expect(text).toMatchFileSnapshot(join(root, path));
});

describeWith(promtools())('promtool $version', ({ path: promtool }) => {
  test.each(ruleFileNames)('accepts alerts/%s', (name) => {
    const output = execFileSync(promtool, ['check', 'rules', join(root, 'alerts', name)]);
    expect(output.toString()).toMatch(/SUCCESS: \d+ rules found/);
  });
});

test('the Kubernetes object has every group of the rule files', () => {
  const groups = (path: string) => parse(readFileSync(join(root, path), 'utf8'));
  const ofFiles = ruleFileNames.flatMap((name) => groups(`alerts/${name}`).groups);
  expect(groups('deploy/kubernetes/prometheus-rule.yaml').spec.groups).toEqual(ofFiles);
});

test('every metric and label in the rules exists', () => {
  const ofPrometheus = new Set(['alertname', 'alertstate']);
  const unknown = rules.flatMap(({ expr }) => unknownNames(expr));
  expect([...new Set(unknown)].filter((name) => !ofPrometheus.has(name))).toEqual([]);
});

test('every metric and label in the texts exists', () => {
  const asked = rules.flatMap(({ summary, description, severity }) =>
    [summary, description, typeof severity === 'string' ? '' : severity.template].flatMap((text) =>
      [...text.matchAll(/printf "((?:[^"\\]|\\.)*)"/g)].map(([, format = '']) =>
        format.replaceAll('=%q', '=\\"\\"').replaceAll('\\"', '"').replaceAll('%%', '%'),
      ),
    ),
  );
  const queries = asked.filter((text) => text.includes('uptime_'));
  expect(queries.length).toBeGreaterThan(20);
  expect([...new Set(queries.flatMap(unknownNames))]).toEqual([]);
});

test.each(rules)('$alert is named and worded as the others are', (rule) => {
  expect(rule.alert).toMatch(/^Uptime([A-Z][a-z]+)+$/);
  expect(rule.summary).not.toMatch(/\n|\.$/);
  expect(rule.description).toMatch(/\.(\{\{ end \}\})*$/);
  expect(rule.description).toMatch(/\$labels\.(account|instance)|no target/);
});

describe('the runbook', () => {
  const runbook = readFileSync(join(root, 'docs', 'runbook.md'), 'utf8');
  const sections = runbook.split(/^## /m).slice(1);
  const names = [...new Set(rules.map(({ alert }) => alert))];

  test('has one section for each alert and no other', () => {
    expect(sections.map((section) => section.split('\n')[0]).sort()).toEqual(names.sort());
  });

  test.each(sections)('says meaning, impact, diagnosis and what to do: %s', (section) => {
    const parts = [...section.matchAll(/^\*\*(.+?)\.\*\*/gm)].map(([, part]) => part);
    expect(parts).toEqual(['Meaning', 'Impact', 'Diagnosis', 'What to do']);
  });
});
