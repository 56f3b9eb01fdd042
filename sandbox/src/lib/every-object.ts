export type Attributes = Readonly<Record<string, unknown>>;

/** Returns JSON in which every object is changed, the innermost first. */
export function everyObject(value: unknown, change: (object: Attributes) => Attributes): unknown {
  if (Array.isArray(value)) return value.map((item) => everyObject(item, change));
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => [key, everyObject(item, change)]);
  return change(Object.fromEntries(inner));
}
