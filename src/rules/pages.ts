import { metadataOf } from '../lib/schema-problems.ts';
import { settingsOf } from '../lib/schema-walk.ts';
import { defaultParameters, thresholdEntries } from './parameters.ts';
import { parametersSchema } from './read-parameters.ts';
import { type AlertRule, isAlert, renderRules } from './render-rules.ts';
import { type RuleSet, ruleSetNames, ruleSets } from './rule-sets.ts';
import { ruleTemplate } from './template.ts';

const templates = ruleTemplate.groups.flatMap(({ rules }) => rules);
const groups = renderRules({ ...defaultParameters, with: ruleSetNames }).map((group) => ({
  rules: group.rules,
  set: ruleTemplate.groups.find(({ name }) => name === group.name)?.set,
}));
const forms = groups.flatMap(({ rules, set }) =>
  rules.filter(isAlert).map((rule) => ({ ...rule, set })),
);
const series = groups.flatMap(({ rules }) =>
  rules.flatMap((rule) => (isAlert(rule) ? [] : [rule])),
);

/** The runbook, in which the section of each alert ends with its rule as it is by default. */
export function withRules(runbook: string): string {
  return runbook
    .split(/^(?=## )/m)
    .map((section) => {
      const name = /^## (Uptime\w+)$/m.exec(section)?.[1];
      if (name === undefined) return section;
      const [text = '', ...subsections] = section.split(/^(?=### )/m);
      const [own = ''] = text.split(/^\*\*Rule\.\*\*/m);
      return [`${own.trimEnd()}\n\n${ruleOf(name)}\n\n`, ...subsections].join('');
    })
    .join('')
    .replace(/\n+$/, '\n');
}

function ruleOf(name: string): string {
  const own = forms.filter(({ alert }) => alert === name);
  const text = own.map(({ expr }) => expr).join('\n');
  const notes = [
    ...series
      .filter(({ record }) => reads(text, record))
      .map(({ record, means }) => `- \`${record}\`: ${means}`),
    ...parametersOf(name),
  ];
  return [
    ...own.flatMap((form, place) => [
      `${place === 0 ? '**Rule.** ' : ''}${conditionOf(form)}`,
      form.expr.replaceAll(/^/gm, '    '),
    ]),
    ...(notes.length > 0 ? [notes.join('\n')] : []),
  ].join('\n\n');
}

function conditionOf({ set, ...rule }: AlertRule & { readonly set: RuleSet | undefined }): string {
  const { for: wait, keep_firing_for: kept, labels, annotations } = rule;
  return [
    `${labels.severity.replace(/^./, (letter) => letter.toUpperCase())} `,
    wait === undefined ? 'at once' : `after ${wait}`,
    kept === undefined ? '' : `, until ${kept} after its end`,
    set === undefined ? '' : `, in the set \`${set}\``,
    `: \`${plainText(annotations.summary)}\``,
  ].join('');
}

/** The parameters that an alert and the series that it reads depend on, with their defaults. */
function parametersOf(name: string): readonly string[] {
  const own = templates.flatMap((rule) => ('alert' in rule && rule.alert === name ? [rule] : []));
  const text = withReadSeries(own.map(({ expr }) => expr).join('\n'));
  const thresholds = thresholdEntries().flatMap(([group, keys]) =>
    keys
      .filter(([key]) => new RegExp(`<[^>]*\\b${group}\\.${key}\\b[^>]*>`).test(text))
      .map(([key, { value, description }]) => {
        const words = description.replace(/^Uptime[^:]*: /, '');
        return `- \`thresholds.${group}.${key}\` (${value}): ${words}`;
      }),
  );
  return own.some(({ severity }) => severity === '<low_severity>')
    ? [...thresholds, '- `low_severity` (warning): the severity where the importance is low.']
    : thresholds;
}

/** An expression and those of the recorded series that it reads, directly or not. */
function withReadSeries(expression: string): string {
  const read = templates.flatMap((rule) =>
    'record' in rule && reads(expression, rule.record) && !expression.includes(rule.expr)
      ? [rule.expr]
      : [],
  );
  return read.length === 0 ? expression : withReadSeries([expression, ...read].join('\n'));
}

function reads(expression: string, series: string): boolean {
  return new RegExp(`(?<![\\w:])${series}(?![\\w:])`).test(expression);
}

/** The page about setting alerts up, with the tables of the sets and of the keys of a parameter file. */
export function withTables(alerting: string): string {
  return withPart(withPart(alerting, 'sets', setTable()), 'keys', keyTable());
}

function withPart(page: string, name: string, text: string): string {
  const start = `<!-- ${name}: written by \`npm run generate\` -->\n`;
  const [from, to] = [page.indexOf(start), page.indexOf(`<!-- end of ${name} -->`)];
  if (from < 0 || to < from) throw new Error(`the page has no place for ${name}`);
  return `${page.slice(0, from + start.length)}\n${text}\n\n${page.slice(to)}`;
}

function setTable(): string {
  const linksOf = (set: RuleSet | undefined) =>
    [...new Set(forms.filter((form) => form.set === set).map(({ alert }) => alert))]
      .map((name) => `[${name}](runbook.md#${name.toLowerCase()})`)
      .join(', ');
  return [
    '| File of `alerts` | Set | About | Alerts |',
    '| --- | --- | --- | --- |',
    `| \`uptime.yaml\` |  | what everybody needs | ${linksOf(undefined)} |`,
    ...ruleSetNames.map(
      (set) => `| \`with/${set}.yaml\` | \`${set}\` | ${ruleSets[set]} | ${linksOf(set)} |`,
    ),
  ].join('\n');
}

function keyTable(): string {
  const rows = [...settingsOf(parametersSchema)]
    .filter(({ name }) => !/^(?:alerts|thresholds)\./.test(name))
    .flatMap(({ name, schema }) => {
      const { description, allowed, defaultText } = metadataOf(schema);
      if (description === undefined) return [];
      return [`| \`${name}\` | ${description} | ${allowed ?? ''} | ${defaultText ?? ''} |`];
    });
  return [
    '| Key | Meaning | Allowed | Default |',
    '| --- | --- | --- | --- |',
    ...rows,
    '| `thresholds.GROUP.KEY` | A number in the condition of an alert. | a number above 0; of a share at most 1 | its entry in the [runbook](runbook.md) |',
    '| `alerts.NAME.enabled` | `false` leaves the alert out. | true or false | true |',
    '| `alerts.NAME.severity` | The severity of all forms of the alert, instead of its own. | critical, warning, info |  |',
    '| `alerts.NAME.for` | How long the condition must be true, instead of its own wait. | a duration such as 30s, 10m or 1h30m |  |',
  ].join('\n');
}

/** Replaces the templates in a text with the names of their labels, or with ‹n› for a number. */
function plainText(template: string): string {
  return (
    template
      .replaceAll(/\{\{ with .*?\) \}\}(?:(?!\{\{ end).)*\{\{ else \}\}(.*?)\{\{ end \}\}/g, '$1')
      .replaceAll(/\{\{ with .*?\) \}\}(.*?)\{\{ end \}\}/g, '[$1]')
      // The last form is the usual one.
      .replaceAll(/\{\{ if .*?\{\{ else \}\}(.*?)\{\{ end \}\}/g, '$1')
      .replaceAll(/\{\{ \(\$value \| toTime\).*? \}\}/g, '‹time›')
      .replaceAll(/\{\{ or \$labels\.(\w+)[^}]*\}\}/g, '‹$1›')
      .replaceAll(/\{\{ \$labels\.(\w+)[^}]*\}\}/g, '‹$1›')
      .replaceAll(/\{\{ first \. \| label "(\w+)" \}\}/g, '‹$1›')
      .replaceAll(/\{\{ (?:\$value|\.)[^}]*\}\}/g, '‹n›')
      .replaceAll('  ', ' ')
  );
}
