import type { CheckTag } from '../../domain/check.ts';
import { isObject } from './envelope.ts';

/**
 * The legible tags of a check, each once (API 3.1, section 2.1). Their `count` is left out: it is about
 * the account, and comes as a number here and as text there.
 */
export function decodeCheckTags(value: unknown): readonly CheckTag[] {
  if (!Array.isArray(value)) return [];
  const tags: CheckTag[] = [];
  for (const entry of value) {
    const tag = decodeTag(entry);
    if (tag === undefined) continue;
    if (!tags.some(({ name, source }) => name === tag.name && source === tag.source)) {
      tags.push(tag);
    }
  }
  return tags;
}

/** An object `{name, type}`, or the bare name of a tag that a person has set. */
function decodeTag(entry: unknown): CheckTag | undefined {
  const { name, type } = isObject(entry) ? entry : { name: entry, type: 'u' };
  if (typeof name !== 'string' || name === '') return undefined;
  return { name: name.toWellFormed(), source: type === 'a' ? 'auto' : 'user' };
}
