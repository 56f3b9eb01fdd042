import { familyNames, ServedFamilies } from '../../src/exposition/catalogue/served-families.ts';

/** For tests that read few metrics, or none: much of an exporter's time is the text of all. */
export function servedOnly(...names: readonly string[]): ServedFamilies {
  const others = familyNames.filter((name) => !names.includes(name));
  return new ServedFamilies({ mode: 'full', exclude: others });
}
