/** A sample value in a form that Go's ParseFloat reads back as the same number; NaN is not a value. */
export function formatNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  return String(value);
}

/** The bound of a histogram bucket as OpenMetrics 1.0.0 ("Canonical Numbers") has it: `1.0`, not `1`. */
export function formatBound(bound: number): string {
  const text = formatNumber(bound);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}
