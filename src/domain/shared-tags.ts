import type { CheckTag } from './check.ts';

/** More different tags than this are no longer worth looking up. */
const maxTags = 50_000;

/**
 * Tags as one object each, however many checks bear them: those of 25,000 checks with five tags would else be a fifth of all
 * objects, which every collection of garbage walks.
 */
export class SharedTags {
  readonly #bySource = { user: new Map<string, CheckTag>(), auto: new Map<string, CheckTag>() };

  of(tags: readonly CheckTag[]): readonly CheckTag[] {
    return tags.length === 0 ? noTags : tags.map((tag) => this.#shared(tag));
  }

  #shared(tag: CheckTag): CheckTag {
    const known = this.#bySource[tag.source];
    const before = known.get(tag.name);
    if (before !== undefined) return before;
    if (known.size >= maxTags) known.clear();
    known.set(tag.name, tag);
    return tag;
  }
}

const noTags: readonly CheckTag[] = Object.freeze([]);
