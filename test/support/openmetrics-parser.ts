import type { Format } from '../../src/exposition/formats.ts';
import { checkHistogram } from './histogram-rules.ts';

export interface ParsedFamily {
  /** The name in the metadata. In OpenMetrics, a counter's name there lacks `_total`. */
  readonly name: string;
  type: string;
  help: string | undefined;
  unit: string | undefined;
  readonly samples: ParsedSample[];
}

export interface ParsedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/**
 * A strict reader of the two text formats: the ABNF and the rules of OpenMetrics 1.0.0, and the
 * description of Prometheus text 0.0.4. It is stricter than both about features that this exporter
 * never uses: timestamps, exemplars, blank lines, unnecessary escapes, and types other than these
 * four.
 */
export function parseExposition(text: string, format: Format): ParsedFamily[] {
  return new Parser(format).parse(text);
}

const types = new Set(['gauge', 'counter', 'histogram', 'summary']);
const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const labelName = /[a-zA-Z_][a-zA-Z0-9_]*/y;
const realNumber = /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?Inf|NaN)$/;

class Parser {
  readonly #format: Format;
  readonly #families: ParsedFamily[] = [];
  readonly #names = new Set<string>();
  readonly #series = new Set<string>();

  constructor(format: Format) {
    this.#format = format;
  }

  parse(text: string): ParsedFamily[] {
    for (const line of this.#lines(text)) {
      if (line.startsWith('#')) this.#metadata(line);
      else this.#sample(line);
    }
    for (const family of this.#families) this.#finish(family);
    return this.#families;
  }

  #lines(text: string): string[] {
    const lines = text.split('\n');
    if (lines.pop() !== '') throw new Error('the last line does not end with a line feed');
    if (this.#format === 'openmetrics' && lines.pop() !== '# EOF')
      throw new Error('no # EOF at the end');
    return lines;
  }

  #metadata(line: string): void {
    const [, keyword, name, rest] = /^# (HELP|TYPE|UNIT) (\S+) (.*)$/s.exec(line) ?? [];
    if (keyword === undefined || name === undefined || rest === undefined) fail('metadata', line);
    if (!metricName.test(name)) fail('family name', line);
    const family = this.#familyFor(name);
    if (family.samples.length > 0) fail('metadata after samples', line);
    if (keyword === 'TYPE') {
      if (family.type !== '' || !types.has(rest)) fail('type', line);
      family.type = rest;
    } else if (keyword === 'UNIT') {
      if (this.#format === 'text' || family.unit !== undefined) fail('unit', line);
      family.unit = rest;
    } else {
      if (family.help !== undefined) fail('second help', line);
      family.help = unescaped(rest, this.#format === 'text' ? 'n\\' : 'n\\"');
      if (this.#format === 'openmetrics' && /(?<!\\)(?:\\\\)*"/.test(rest))
        fail('bare quote', line);
    }
  }

  /** The current family, or a new one. A family that has ended must not appear again. */
  #familyFor(name: string): ParsedFamily {
    const current = this.#families.at(-1);
    if (current?.name === name) return current;
    if (this.#names.has(name)) fail('family in two places', name);
    this.#names.add(name);
    const family = { name, type: '', help: undefined, unit: undefined, samples: [] };
    this.#families.push(family);
    return family;
  }

  #sample(line: string): void {
    const [, name = '', rest = ''] = /^([^{ ]+)(.*)$/s.exec(line) ?? fail('sample', line);
    if (!metricName.test(name)) fail('metric name', line);
    const { labels, end } = rest.startsWith('{') ? parseLabels(rest) : { labels: {}, end: 0 };
    const number = rest.slice(end + 1);
    if (rest[end] !== ' ' || !realNumber.test(number)) fail('value', line);
    const family = this.#families.at(-1);
    if (family === undefined || !this.#sampleNames(family).has(name))
      fail('sample outside family', line);
    const series = JSON.stringify([
      name,
      ...Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)),
    ]);
    if (this.#series.has(series)) fail('series twice', line);
    this.#series.add(series);
    family.samples.push({ name, labels, value: Number(number.replace('Inf', 'Infinity')) });
  }

  #sampleNames(family: ParsedFamily): Set<string> {
    if (family.type === 'histogram') {
      return new Set(['_bucket', '_sum', '_count'].map((suffix) => family.name + suffix));
    }
    if (family.type === 'summary') {
      return new Set(['_sum', '_count'].map((suffix) => family.name + suffix));
    }
    const isBareCounter = family.type === 'counter' && this.#format === 'openmetrics';
    return new Set([isBareCounter ? `${family.name}_total` : family.name]);
  }

  #finish(family: ParsedFamily): void {
    if (family.type === '') fail('no type', family.name);
    if (family.help === undefined) fail('no help', family.name);
    if (family.samples.length === 0) fail('no samples', family.name);
    if (family.unit !== undefined && !family.name.endsWith(`_${family.unit}`))
      fail('unit suffix', family.name);
    if (family.type === 'counter' && family.samples.some(({ value }) => !(value >= 0))) {
      fail('counter below 0', family.name);
    }
    if (family.type === 'histogram') checkHistogram(family);
  }
}

/** Reads `{name="value",…}`; `end` is the position after the closing brace. */
function parseLabels(text: string): { labels: Record<string, string>; end: number } {
  const labels: Record<string, string> = {};
  let at = 1;
  for (;;) {
    labelName.lastIndex = at;
    const [name] = labelName.exec(text) ?? fail('label name', text);
    at += name.length;
    if (name in labels) fail('label twice', text);
    if (text.slice(at, at + 2) !== '="') fail('label without value', text);
    const start = at + 2;
    at = closingQuote(text, start);
    labels[name] = unescaped(text.slice(start, at), 'n\\"');
    const next = text[at + 1];
    at += 2;
    if (next === '}') return { labels, end: at };
    if (next !== ',') fail('separator of labels', text);
  }
}

function closingQuote(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return fail('unclosed label value', text);
}

function unescaped(text: string, allowed: string): string {
  return text.replace(/\\(.?)/gs, (sequence, character: string) => {
    if (character === '' || !allowed.includes(character)) fail(`escape ${sequence}`, text);
    return character === 'n' ? '\n' : character;
  });
}

function fail(what: string, where: string): never {
  throw new Error(`${what}: ${JSON.stringify(where)}`);
}
