import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withRules, withTables } from '../../src/rules/pages.ts';
import { defaultParameters, thresholdEntries } from '../../src/rules/parameters.ts';
import { alertRules, isAlert, renderRules } from '../../src/rules/render-rules.ts';
import { deliveredRuleFiles } from '../../src/rules/rule-files.ts';
import { ruleSetNames } from '../../src/rules/rule-sets.ts';
import { templateText } from '../../src/rules/template.ts';
import { describeWith, promtools } from '../support/promtools.ts';
import { checkCases } from './check-cases.ts';
import { unknownNames } from './expression-names.ts';
import { otherCases } from './other-cases.ts';

const root = join(import.meta.dirname, '..', '..');
const generated = new Map([
  ...deliveredRuleFiles(),
  ['docs/runbook.md', withRules(readFileSync(join(root, 'docs', 'runbook.md'), 'utf8'))],
  ['docs/alerting.md', withTables(readFileSync(join(root, 'docs', 'alerting.md'), 'utf8'))],
]);
const all = { ...defaultParameters, with: ruleSetNames };
const rules = alertRules(all);

test.each([...generated])('%s matches its source', async (path, text) => {
  await expect(text).toMatchFileSnapshot(join(root, path));
});

describeWith(promtools())('promtool $version', ({ path: promtool }) => {
  test.each([...deliveredRuleFiles().keys()])('accepts %s', (path) => {
    const output = execFileSync(promtool, ['check', 'rules', join(root, path)]);
    expect(output.toString()).toMatch(/SUCCESS: \d+ rules found/);
  });
});

test('a comment above each recorded series explains its values', () => {
  for (const [, text] of deliveredRuleFiles()) {
    const lines = text.split('\n');
    for (const [place, line] of lines.entries()) {
      if (/^ +- record: /.test(line)) expect(lines[place - 1]).toMatch(/^ +# \S.*\.$/);
    }
    expect(text).not.toContain('means:');
  }
});

test('at most 17 alerts are delivered by default', () => {
  const names = new Set(alertRules(defaultParameters).map(({ alert }) => alert));
  expect(names.size).toBeLessThanOrEqual(17);
});

const everyRule = renderRules(all).flatMap(({ rules }) => rules);
const recorded = everyRule.flatMap((rule) => (isAlert(rule) ? [] : [rule.record]));
/** Labels that Prometheus adds to the series of alerts, and names that rules record. */
const known = new Set(['alertname', 'alertstate', ...recorded]);

test('every metric and label in the rules exists', () => {
  const unknown = everyRule.flatMap(({ expr }) => unknownNames(expr));
  expect([...new Set(unknown)].filter((name) => !known.has(name))).toEqual([]);
});

test('every series that a rule reads of another is recorded', () => {
  const read = everyRule.flatMap(({ expr }) => expr.match(/\buptime:[\w:]+/g) ?? []);
  expect([...new Set(read)].sort()).toEqual(
    recorded.filter((name) => !/budget_used|outage_cause|unreadable_until/.test(name)).sort(),
  );
});

test.each(everyRule.map(({ expr }) => expr))(
  'can be read, as five lines are the most: %s',
  (expr) => {
    expect(expr.split('\n').length).toBeLessThanOrEqual(5);
  },
);

/** The comments above and within each rule of the template, by its name. */
function commentsOfRules(): ReadonlyMap<string, string> {
  const comments = new Map<string, string>();
  let [name, above] = ['', ''];
  for (const line of templateText.split('\n')) {
    const [, begun] = /^ {6}- (?:alert|record): (\S+)$/.exec(line) ?? [];
    if (/^ {6}#/.test(line)) above += line;
    else if (begun !== undefined) {
      comments.set(begun, (comments.get(begun) ?? '') + above);
      [name, above] = [begun, ''];
    } else if (/^ {8}#/.test(line)) comments.set(name, comments.get(name) + line);
  }
  return comments;
}

const comments = commentsOfRules();

test.each(everyRule)('is short, or has a comment that says why not: $expr', (rule) => {
  const comment = comments.get(isAlert(rule) ? rule.alert : rule.record) ?? '';
  if (rule.expr.length > 250) expect(comment).toMatch(/longer than 250 characters/i);
});

test('a summary has no number that changes, because a receiver shows it beside newer ones', () => {
  for (const { summary } of rules.map(({ annotations }) => annotations)) {
    const shown = summary.replaceAll(/\{\{ (?:else )?if .*?\}\}|\(\$value \| toTime\)/g, '');
    expect(shown).not.toContain('$value');
  }
});

const queriesIn = (text: string) => text.split('query (').length - 1;

test.each(rules)('$alert has short texts with one query at most, and labels with none', (rule) => {
  const { annotations, labels } = rule;
  for (const text of [annotations.summary, annotations.description]) {
    expect(text.length).toBeLessThanOrEqual(400);
    expect(queriesIn(text)).toBeLessThanOrEqual(1);
  }
  expect(queriesIn(JSON.stringify(labels))).toBe(0);
});

/** At 170 words a minute, the speed of a newsreader. */
const wordsInTenSeconds = 28;

test.each(
  [...checkCases, ...otherCases].filter(({ fired }) => fired.labels.severity === 'critical'),
)('the texts of $alert are read aloud within ten seconds when $when', ({ fired }) => {
  const words = `${fired.summary} ${fired.description}`.split(/\s+/);
  expect(words.length).toBeLessThanOrEqual(wordsInTenSeconds);
});

test.each(rules)(
  'the texts of $alert do not name its wait, which a parameter can change',
  (rule) => {
    expect(`${rule.annotations.summary}. ${rule.annotations.description}`).not.toMatch(
      /\bfor (?:\S+ ){1,3}(?:seconds?|minutes?|hours?|days?)\b/,
    );
  },
);

test('every metric and label in the texts exists', () => {
  const asked = rules.flatMap(({ annotations, labels }) =>
    [annotations.summary, annotations.description, JSON.stringify(labels)].flatMap((text) =>
      [...text.matchAll(/printf "((?:[^"\\]|\\.)*)"/g)].map(([, format = '']) =>
        format
          .replaceAll(/(=~?)%q/g, '$1\\"\\"')
          .replaceAll('\\"', '"')
          .replaceAll('%%', '%'),
      ),
    ),
  );
  const queries = asked.filter((text) => text.includes('uptime_'));
  expect(queries.length).toBeGreaterThan(3);
  const unknown = queries.flatMap(unknownNames).filter((name) => !known.has(name));
  expect([...new Set(unknown)]).toEqual([]);
});

test.each(rules)('$alert is named and worded as the others are', ({ alert, annotations }) => {
  expect(alert).toMatch(/^Uptime([A-Z][a-z]+)+$/);
  expect(annotations.summary).not.toMatch(/\n|\.$/);
  expect(annotations.description).toMatch(/\.(\{\{ end \}\})*$/);
  expect(annotations.description).toMatch(/\$labels\.(account|instance|job)/);
});

describe('the runbook', () => {
  const runbook = readFileSync(join(root, 'docs', 'runbook.md'), 'utf8');
  const sections = runbook.split(/^## /m).filter((section) => section.startsWith('Uptime'));
  const names = [...new Set(rules.map(({ alert }) => alert))];

  test('has one section for each alert and no other', () => {
    expect(sections.map((section) => section.split('\n')[0]).sort()).toEqual(names.sort());
  });

  const whole = sections.filter((section) => !/^\w+\n\nThe same as \[Uptime/.test(section));

  test.each(whole)('begins with what to do, and states the meaning: %s', (section) => {
    const parts = [...section.matchAll(/^\*\*(.+?)\.\*\*/gm)].map(([, part]) => part);
    expect(parts.join()).toMatch(/^Do this,Meaning(?:,Impact)?,Rule$/);
    expect(section).toMatch(/^\w+\n\n\*\*Do this\.\*\*/);
  });

  test('has every threshold in the entry of an alert', () => {
    const keys = thresholdEntries().flatMap(([group, own]) =>
      own.map(([key]) => `${group}.${key}`),
    );

    expect(keys.filter((key) => !runbook.includes(`- \`thresholds.${key}\``))).toEqual([]);
  });

  test('quotes only texts that alerts have', () => {
    const quoted = [...sections.join('').matchAll(/ "([A-Za-z][^"]*)"/g)].map(([, text = '']) =>
      text.replaceAll(/\s+/g, ' '),
    );
    const texts = rules.map(({ annotations }) => annotations.summary.toLowerCase());

    expect(quoted.length).toBeGreaterThan(1);
    expect(quoted.filter((text) => !texts.some((own) => own.includes(text.toLowerCase())))).toEqual(
      [],
    );
  });

  test('lists each alert at its top', () => {
    const [top = ''] = runbook.split('\n## ');
    const listed = [...top.matchAll(/\[(Uptime\w+)\]/g)].map(([, name]) => name);
    expect(listed.sort()).toEqual(names.sort());
  });
});
