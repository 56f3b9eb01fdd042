/** One element of an `Accept` header (RFC 9110, section 12.5.1), in lower case. */
export interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** From 0 (refused) to 1. */
  readonly quality: number;
}

const elementPattern = /(?:[^,"]|"(?:\\.|[^"\\])*"?)+/g;
const parameterPattern = /(?:[^;"]|"(?:\\.|[^"\\])*"?)+/g;
const token = "[\\w!#$%&'*+.^`|~-]+";
const rangePattern = new RegExp(`^(${token})/(${token})$`);
const namePattern = new RegExp(`^${token}$`);
const qualityPattern = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** The media ranges of the header in its order; a malformed element is left out, as if it were not there. */
export function parseAccept(header: string): MediaRange[] {
  const ranges: MediaRange[] = [];
  for (const element of header.match(elementPattern) ?? []) {
    const range = parseRange(element);
    if (range !== undefined) ranges.push(range);
  }
  return ranges;
}

function parseRange(element: string): MediaRange | undefined {
  const [name = '', ...rest] = element.match(parameterPattern) ?? [];
  const [, type, subtype] = rangePattern.exec(name.trim().toLowerCase()) ?? [];
  if (type === undefined || subtype === undefined) return undefined;
  if (type === '*' && subtype !== '*') return undefined;
  const parameters = parseParameters(rest);
  const quality = parameters?.get('q') ?? '1';
  if (parameters === undefined || !qualityPattern.test(quality)) return undefined;
  parameters.delete('q');
  return { type, subtype, parameters, quality: Number(quality) };
}

function parseParameters(texts: readonly string[]): Map<string, string> | undefined {
  const parameters = new Map<string, string>();
  for (const text of texts) {
    if (text.trim() === '') continue;
    const equals = text.indexOf('=');
    const name = text.slice(0, Math.max(0, equals)).trim().toLowerCase();
    if (!namePattern.test(name)) return undefined;
    parameters.set(name, unquote(text.slice(equals + 1).trim()).toLowerCase());
  }
  return parameters;
}

function unquote(value: string): string {
  return /^".*"$/s.test(value) ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value;
}
