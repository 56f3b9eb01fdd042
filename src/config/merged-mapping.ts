import { type Document, isAlias, isMap, isScalar, isSeq, type Pair, type YAMLMap } from 'yaml';

/** The entry of a mapping: its own, or else the one that a merge key (`<<`) brings. */
export function entryOf(document: Document, map: YAMLMap, key: unknown): Pair | undefined {
  const own = map.items.find((item) => isScalar(item.key) && item.key.value === key);
  if (own !== undefined) return own;
  for (const item of map.items.filter(isMerge)) {
    for (const source of mergeSources(document, item)) {
      const found = isMap(source) ? entryOf(document, source, key) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

export function isMerge({ key }: Pair): boolean {
  return isScalar(key) && typeof key.value === 'symbol' && key.value.description === '<<';
}

/** What a merge key brings in, which should be mappings. */
export function mergeSources(document: Document, { value }: Pair): unknown[] {
  const resolved = (node: unknown) => (isAlias(node) ? node.resolve(document) : node);
  const source = resolved(value);
  return isSeq(source) ? source.items.map(resolved) : [source];
}
