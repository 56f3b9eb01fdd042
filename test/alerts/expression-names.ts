import { catalogue } from '../../src/exposition/catalogue/catalogue.ts';
import { allLabels, type Family } from '../../src/exposition/catalogue/family.ts';

const families: readonly Family[] = catalogue.flatMap(({ families: rows }) => rows);

function samplesOf({ name, type }: Family): string[] {
  if (type === 'histogram') return [`${name}_bucket`, `${name}_sum`, `${name}_count`];
  return type === 'summary' ? [`${name}_sum`, `${name}_count`] : [name];
}

const names = new Set(families.flatMap(samplesOf));
/** Metrics of prom-client. A query of the dashboards' test shows that they exist. */
const ofProcess = /^(process|nodejs)_/;

/** Labels keyed by the name of the series; those of Prometheus and of targets apply to all. */
const everywhere = ['job', 'instance'];
const labels = new Map<string, ReadonlySet<string>>(
  families.flatMap((family) =>
    samplesOf(family).map(
      (name) => [name, new Set([...allLabels(family), ...everywhere, 'le'])] as const,
    ),
  ),
);
const everyLabel = new Set([...labels.values()].flatMap((of) => [...of]));

const word = String.raw`[a-zA-Z_:][\w:]*`;
const matcher = new RegExp(String.raw`(${word})\s*(?:=~|!~|!=|=)\s*"`, 'g');

/** Metrics and labels in an expression that the catalogue does not have. */
export function unknownNames(expression: string): string[] {
  const unquoted = expression.replaceAll(/"[^"]*"/g, '""');
  const metrics = [...unquoted.matchAll(/\b(?:uptime|process|nodejs)_[\w:]*|\buptime:[\w:]*/g)].map(
    ([name]) => name,
  );
  const listed = [
    ...unquoted.matchAll(/\b(?:by|on|without|ignoring|group_left|group_right)\s*\(([^)]*)\)/g),
  ];
  const grouping = listed.flatMap(([, list = '']) => list.split(',').map((label) => label.trim()));
  const selectors = [...unquoted.matchAll(new RegExp(String.raw`(${word})?\{([^}]*)\}`, 'g'))];
  const matched = selectors.flatMap(([, name = '', list = '']) => {
    const known = labels.get(name) ?? new Set([...everyLabel, '__name__']);
    return [...list.matchAll(matcher)]
      .map(([, label = '']) => label)
      .filter((label) => !known.has(label));
  });
  return [
    ...metrics.filter((name) => !names.has(name) && !ofProcess.test(name)),
    ...grouping.filter((label) => label !== '' && !everyLabel.has(label)),
    ...matched,
  ];
}
