import type { CompatCheck, CompatFamily } from './compat-family.ts';
import { type CompatOptions, extraLabelName, type ParsedTags, parseTag } from './compat-options.ts';

/** How kokuwaio's exporter shows the tags of a check. */
export function tagFamilies({ parsedTags }: CompatOptions): CompatFamily<CompatCheck>[] {
  if (parsedTags === undefined) return [tags];
  return [parsedTags.extraLabels.length > 0 ? labelsByKey(parsedTags) : labelsByTag(parsedTags)];
}

const tags: CompatFamily<CompatCheck> = {
  name: 'pingdom_tags',
  help: 'A tag of the check; always 1.',
  labels: ['id', 'name', 'type', 'count'],
  samples: ({ check }, emit, { tagCounts }) => {
    for (const { name, source } of check.tags) {
      const type = source === 'auto' ? 'a' : 'u';
      emit(1, `${check.id}`, name, type, `${tagCounts.get(name) ?? 0}`);
    }
  },
};

const tagsLabel = {
  name: 'pingdom_tags_label',
  help: 'Key and value of the tags of the check.',
} as const;

/** 1 for a tag that has the format, else 0. */
function labelsByTag({ format }: ParsedTags): CompatFamily<CompatCheck> {
  return {
    ...tagsLabel,
    labels: ['id', 'label_key', 'label_value', 'name'],
    samples: ({ check }, emit) => {
      // A tag may be there twice: set by a person and by the service.
      for (const name of new Set(check.tags.map((tag) => tag.name))) {
        const parsed = parseTag(name, format);
        const isParsed = parsed !== undefined;
        emit(Number(isParsed), `${check.id}`, parsed?.key ?? '', parsed?.value ?? '', name);
      }
    },
  };
}

/** One series a check that has any tag; the last tag of a key wins. */
function labelsByKey({ format, extraLabels }: ParsedTags): CompatFamily<CompatCheck> {
  return {
    ...tagsLabel,
    labels: ['id', ...extraLabels.map(extraLabelName)],
    samples: ({ check }, emit) => {
      if (check.tags.length === 0) return;
      const values = new Map(
        check.tags.flatMap(({ name }): [string, string][] => {
          const parsed = parseTag(name, format);
          return parsed === undefined ? [] : [[parsed.key, parsed.value]];
        }),
      );
      emit(1, `${check.id}`, ...extraLabels.map((key) => values.get(key) ?? ''));
    },
  };
}
