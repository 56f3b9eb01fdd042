/** One JSON log line as logfmt: `ts=… level=… msg="…" key=value`. Nested objects are flattened with dots. */
export function toLogfmt(jsonLine: string): string {
  const { ts, level, msg, ...fields } = JSON.parse(jsonLine) as Record<string, unknown>;
  const pairs = [...flatten({ ts, level, msg }), ...flatten(fields)];
  return `${pairs.map(([key, value]) => `${key}=${quote(value)}`).join(' ')}\n`;
}

function* flatten(fields: object, prefix = ''): Generator<[string, unknown]> {
  for (const [key, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const name = prefix + key.replaceAll(/[\s="]/g, '_');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      yield* flatten(value, `${name}.`);
    } else {
      yield [name, value];
    }
  }
}

function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[^\s="\\\p{Cc}]+$/u.test(text) ? text : JSON.stringify(text);
}
