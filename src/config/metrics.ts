import { z } from 'zod';
import { familyNames, metricsModes } from '../exposition/catalogue/served-families.ts';
import { didYouMean } from '../lib/nearest-word.ts';
import { formatPath } from '../lib/schema-problems.ts';
import type { Problem } from '../lib/yaml-source.ts';
import { choiceField, isText, listField } from './fields.ts';
import { isMapping, mapping, rawList } from './raw.ts';

const families = (description: string) =>
  listField({
    description,
    allowed: 'a list of names of families, such as [uptime_probe_info]',
    item: { type: 'string', minLength: 1 },
    isEntry: isText,
  }).optional();

export const metricsSchema = z
  .strictObject({
    mode: choiceField({
      description:
        '`lean`: the families that an alert, dashboard or documented query reads; see [metrics](metrics.md#lean-and-full). `full`: all.',
      defaultText: 'lean',
      choices: metricsModes,
    }).optional(),
    include: families('Names of families to serve whole, in addition.'),
    exclude: families('Names of families not to serve.'),
  })
  .meta({
    description:
      'Families of `/metrics`, the same for all accounts: `lean` or `full`, or a mapping with these keys.',
    json: { type: ['object', 'string'], pattern: `^(${metricsModes.join('|')})$` },
  });

/** Makes a mapping of the short form `metrics: full`. */
export function withMetricsMapping(configuration: unknown): unknown {
  if (!isMapping(configuration) || typeof configuration.metrics !== 'string') return configuration;
  return { ...configuration, metrics: { mode: configuration.metrics } };
}

/** Returns one problem for each family that does not exist, or is both included and excluded. */
export function metricsProblems(configuration: unknown): Problem[] {
  const { include, exclude } = mapping(mapping(configuration).metrics);
  const included = rawList(include);
  return Object.entries({ include, exclude }).flatMap(([key, names]) =>
    rawList(names).flatMap((name, index): Problem[] => {
      const path = ['metrics', key, index];
      const problem = isText(name)
        ? familyProblem(name, key === 'exclude' && included.includes(name))
        : undefined;
      if (problem === undefined) return [];
      return [{ path, at: 'value', message: `${formatPath(path)}: ${problem}` }];
    }),
  );
}

function familyProblem(name: string, isIncluded: boolean): string | undefined {
  if (isIncluded) return `${name} is also in metrics.include`;
  if (familyNames.includes(name)) return undefined;
  return `unknown family "${name}"${didYouMean(name, familyNames)}`;
}
