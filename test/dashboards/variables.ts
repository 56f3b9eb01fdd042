import { z } from 'zod';
import type { PrometheusSource } from './prometheus-source.ts';

const variable = z.looseObject({
  name: z.string(),
  type: z.string(),
  multi: z.boolean().optional(),
  includeAll: z.boolean().optional(),
  allValue: z.string().optional(),
  definition: z.string().optional(),
  query: z.unknown(),
  regex: z.string().optional(),
  sort: z.number().optional(),
});
export const variableList = z.array(variable);
export type Variable = z.infer<typeof variable>;

/** The choice for a variable: `undefined` is All. */
interface Choice {
  readonly values: readonly string[] | undefined;
  readonly variable: Variable;
}

/** Values that Grafana inserts in addition to the variables of a board. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * The variables of a board with the choice for each. They are inserted into texts like Grafana does
 * it.
 */
export class Choices {
  readonly #choices = new Map<string, Choice>();

  /**
   * Applies the reader's choices. Other variables get All, or the first option if they have no All.
   * The options come from Prometheus at the end of the range.
   */
  static async of(
    variables: readonly Variable[],
    chosen: Readonly<Record<string, readonly string[]>>,
    source: PrometheusSource,
    range: Range,
  ): Promise<Choices> {
    const choices = new Choices();
    for (const one of variables) {
      let values = chosen[one.name];
      if (values === undefined && one.includeAll !== true && one.type === 'query') {
        const [first] = await optionsOf(one, choices, source, range);
        values = first === undefined ? [] : [first.value];
      }
      if (one.type === 'datasource') values = ['prometheus-uid'];
      if (one.type === 'textbox') values ??= [String(one.query)];
      choices.#choices.set(one.name, { values, variable: one });
    }
    return choices;
  }

  /** With the regular expressions that the Prometheus data source makes from a choice. */
  inQuery(text: string, rangeVariables: Readonly<Record<string, string>> = {}): string {
    return this.#replaced(text, (choice) => forQuery(choice), rangeVariables);
  }

  /** In a link or a title. */
  inText(text: string, rangeVariables: Readonly<Record<string, string>> = {}): string {
    return this.#replaced(
      text,
      ({ values, variable: { name } }, format) => {
        const chosen = values ?? ['$__all'];
        if (format !== 'queryparam') return chosen.join(' + ');
        return chosen.map((one) => `var-${name}=${encodeURIComponent(one)}`).join('&');
      },
      rangeVariables,
    );
  }

  #replaced(
    text: string,
    write: (choice: Choice, format: string) => string,
    others: Readonly<Record<string, string>>,
  ): string {
    return text.replaceAll(
      /\$(?:(\w+)|\{(\w+)(?::(\w+))?\})/g,
      (whole, plain: string, braced: string, format = '') => {
        const name = plain ?? braced;
        const other = others[name];
        if (other !== undefined) return other;
        const choice = this.#choices.get(name);
        return choice === undefined ? whole : write(choice, format);
      },
    );
  }
}

function forQuery({ values, variable: { multi, includeAll, allValue } }: Choice): string {
  if (values === undefined) return allValue ?? '.*';
  if (multi !== true && includeAll !== true) {
    return (values[0] ?? '').replaceAll('\\', '\\\\').replaceAll("'", "\\\\'");
  }
  const escaped = values.map((value) =>
    value.replaceAll('\\', '\\\\\\\\').replaceAll(/[$^*{}[\]'+?.()|]/g, '\\\\$&'),
  );
  return escaped.length > 1 ? `(${escaped.join('|')})` : (escaped[0] ?? '');
}

interface Option {
  readonly text: string;
  readonly value: string;
}

/** The options for a variable, which Grafana makes from its query and its regular expression. */
export async function optionsOf(
  { definition = '', regex = '', sort }: Variable,
  choices: Choices,
  source: PrometheusSource,
  { from, to }: Range,
): Promise<Option[]> {
  const query = choices.inQuery(definition, { __from: `${from}`, __to: `${to}` });
  const texts = await textsOf(query, source, to);
  const pattern = /^\/(?<body>.*)\/(?<flags>[gimsuy]*)$/s.exec(regex)?.groups;
  const options = texts.flatMap((text): Option[] => {
    if (regex === '') return [{ text, value: text }];
    const match = new RegExp(pattern?.body ?? regex, pattern?.flags ?? '').exec(text);
    if (match === null) return [];
    const value = match.groups?.value ?? match.groups?.text ?? match[1] ?? match[0];
    return [{ value, text: match.groups?.text ?? value }];
  });
  const unique = [...new Map(options.map((option) => [option.value, option])).values()];
  const key = ({ text }: Option) => text.toLowerCase();
  return sort === 0 ? unique : unique.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

async function textsOf(query: string, source: PrometheusSource, to: number): Promise<string[]> {
  const [, selector, label] = /^label_values\((?:(.*), *)?(\w+)\)$/s.exec(query) ?? [];
  if (label !== undefined) {
    const samples = await source.instant(selector ?? '{__name__!=""}', to);
    return [...new Set(samples.flatMap(({ metric }) => metric[label] ?? []))];
  }
  const [, expression] = /^query_result\((.*)\)$/s.exec(query) ?? [];
  if (expression === undefined) throw new Error(`no query of a variable: ${query}`);
  const samples = await source.instant(expression, to);
  return samples.map(({ metric: { __name__ = '', ...labels }, value: [time, value] }) => {
    const written = Object.entries(labels).map(([name, text]) => `${name}="${text}"`);
    return `${__name__}{${written.join(',')}} ${value} ${time * 1000}`;
  });
}
