import type { CheckTag } from './check.ts';

/** With more different tags than this, sharing costs more memory than it saves. */
const maxTags = 50_000;

/**
 * One object per tag, shared by all checks that have it. Otherwise, the tags of 25,000 checks with
 * five tags each would be a fifth of all objects, which every garbage collection must visit.
 */
export class SharedTags {
  readonly #bySource = { user: new Map<string, CheckTag>(), auto: new Map<string, CheckTag>() };

  of(tags: readonly CheckTag[]): readonly CheckTag[] {
    return tags.length === 0 ? noTags : tags.map((tag) => this.#shared(tag));
  }

  #shared(tag: CheckTag): CheckTag {
    const byName = this.#bySource[tag.source];
    const before = byName.get(tag.name);
    if (before !== undefined) return before;
    if (byName.size >= maxTags) byName.clear();
    byName.set(tag.name, tag);
    return tag;
  }
}

const noTags: readonly CheckTag[] = Object.freeze([]);
