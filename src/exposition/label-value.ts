/** Surrogates among them, of which some have no partner. */
const awkward = /[\\"\n\ud800-\udfff]/;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

/**
 * A label value for between double quotes; the same in both formats. Lone surrogates have no UTF-8
 * form and become U+FFFD.
 */
export function escapeLabelValue(value: string): string {
  if (!awkward.test(value)) return value;
  return value.toWellFormed().replace(/[\\"\n]/g, (special) => escapes[special] ?? special);
}
