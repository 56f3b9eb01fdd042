import type { Inputs } from '../query-parameters.ts';
import { Refusal } from '../refusal.ts';

/**
 * Headers as `Name:Value`, from `requestheaders`, a JSON array of them or one header as text, and from
 * numbered parameters with one header each.
 */
export function requestHeaders(inputs: Inputs): readonly string[] {
  return Object.entries(inputs)
    .filter(([name]) => /^requestheader(s|s?\d+)$/.test(name))
    .flatMap(([name, value]) => {
      const headers: readonly unknown[] = Array.isArray(value) ? value : [value];
      return headers.map((header) => {
        if (typeof header === 'string' && /^[^\s:]+:/.test(header)) return header;
        const found = JSON.stringify(header);
        throw new Refusal(400, `Parameter ${name} must be headers as Name:Value, not ${found}`);
      });
    });
}

/** By name, as the legacy versions show them; the values of a name given several times are a list. */
export function headersByName(headers: readonly string[]): Record<string, string | string[]> {
  const byName = new Map<string, string[]>();
  for (const header of headers) {
    const colon = header.indexOf(':');
    const name = header.slice(0, colon);
    byName.set(name, [...(byName.get(name) ?? []), header.slice(colon + 1).trim()]);
  }
  return Object.fromEntries(
    [...byName].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  );
}
