/**
 * Whether two values of plain data, as JSON has them, are the same. It is several times as fast as the
 * comparison of any values that node:util has, which counts where 25,000 entries are compared.
 */
export function plainEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((value, index) => plainEqual(value, b[index]))
    );
  }
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => key in b && plainEqual(a[key as keyof typeof a], b[key as keyof typeof b]))
  );
}
