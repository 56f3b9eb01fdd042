import type { CheckTag } from '../domain/check.ts';
import { getOrMake } from '../lib/get-or-make.ts';

/** The required share of time up, above 0 and below 1, and the source of the objective. */
export interface Objective {
  readonly ratio: number;
  readonly reason: string;
}

/** The properties of an item that select its objective. */
export interface ObjectiveSubject {
  readonly id: number;
  readonly name: string;
  readonly tags: readonly CheckTag[];
}

/** An item is selected if one of these matches. */
export interface Selectors {
  readonly ids?: readonly number[] | undefined;
  readonly names?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** An objective of the configuration, for items that match one of its selectors. */
interface ObjectiveRule extends Selectors {
  readonly ratio: number;
  /** Names of groups. */
  readonly groups?: readonly string[] | undefined;
}

type SelectorKind = 'ids' | 'names' | 'tags' | 'groups';

/** Returns whether a pattern matches a whole text; `*` in it matches any text. */
export type Fits = (pattern: string, text: string) => boolean;

/** The objectives of the configuration. */
export interface ObjectiveSettings {
  readonly defaultRatio?: number;
  readonly rules?: readonly ObjectiveRule[];
}

interface ObjectiveOptions extends ObjectiveSettings {
  readonly fits: Fits;
}

export const defaultObjectiveRatio = 0.999;
/** A ratio below this in a tag is a mistake. */
const minTagRatio = 0.5;

/**
 * Selects the objective of an item. The first match applies, in this order: a rule by id or name; a
 * tag such as `slo-99-95` or `uptime_slo_9995`; a rule by tag; the default. Rules are tried in
 * their order.
 */
export class ObjectivePolicy {
  readonly settings: ObjectiveSettings;
  readonly #default: Objective;
  readonly #rules: readonly (ObjectiveRule & { readonly title: string })[];
  readonly #fits: Fits;
  /** One object per objective, shared by all its items. */
  readonly #known = new Map<string, Objective>();

  constructor({ fits, ...settings }: ObjectiveOptions) {
    const { defaultRatio = defaultObjectiveRatio, rules = [] } = settings;
    this.settings = settings;
    this.#default = { ratio: defaultRatio, reason: 'default' };
    this.#rules = rules.map((rule, place) => ({ ...rule, title: `rule ${place + 1}` }));
    this.#fits = fits;
  }

  /** `onInvalidTag` is called for tags that look like an objective but are not a valid ratio. */
  of(subject: ObjectiveSubject, onInvalidTag: (tag: string) => void = () => {}): Objective {
    const { id, name, tags } = subject;
    for (const { title, ratio, ids = [], names = [] } of this.#rules) {
      if (ids.includes(id)) return this.#objective(ratio, `${title}, id ${id}`);
      const pattern = names.find((candidate) => this.#fits(candidate, name));
      if (pattern !== undefined) return this.#objective(ratio, `${title}, name ${pattern}`);
    }
    for (const { name: tag } of tags) {
      const ratio = ratioOfTag(tag);
      if (ratio === undefined) continue;
      if (ratio !== 'invalid') return this.#objective(ratio, `tag ${tag}`);
      onInvalidTag(tag);
    }
    for (const { title, ratio, tags: patterns = [] } of this.#rules) {
      const pattern = patterns.find((candidate) =>
        tags.some(({ name: tag }) => this.#fits(candidate, tag)),
      );
      if (pattern !== undefined) return this.#objective(ratio, `${title}, tag ${pattern}`);
    }
    return this.#default;
  }

  ofGroup(name: string): Objective {
    for (const { title, ratio, groups = [] } of this.#rules) {
      const pattern = groups.find((candidate) => this.#fits(candidate, name));
      if (pattern !== undefined) return this.#objective(ratio, `${title}, group ${pattern}`);
    }
    return this.#default;
  }

  /** The patterns of groups in the rules. */
  get groupPatterns(): readonly string[] {
    return this.#rules.flatMap(({ groups = [] }) => groups);
  }

  hasRuleForGroup(name: string): boolean {
    return this.ofGroup(name) !== this.#default;
  }

  /** The order of search for an item's objective, one line per step. */
  describe(): string[] {
    return this.#describe(['ids', 'names'], ['tags']);
  }

  /** The order of search for a group's objective; empty if no rule is for groups. */
  describeForGroups(): string[] {
    const ofGroups = this.#rules.some(({ groups }) => groups !== undefined);
    return ofGroups ? this.#describe(['groups']) : [];
  }

  #describe(kinds: readonly SelectorKind[], afterTags?: readonly SelectorKind[]): string[] {
    const lines = (kinds: readonly SelectorKind[]) =>
      this.#rules.flatMap((rule) => {
        const selectors = kinds.flatMap((kind) =>
          rule[kind] === undefined ? [] : [`${kind} ${rule[kind].join(', ')}`],
        );
        if (selectors.length === 0) return [];
        return [`${rule.ratio}: ${rule.title}, ${selectors.join('; ')}`];
      });
    return [
      ...lines(kinds),
      ...(afterTags === undefined
        ? []
        : ['a tag such as slo-99-95 or uptime_slo_9995', ...lines(afterTags)]),
      `${this.#default.ratio}: default`,
    ];
  }

  #objective(ratio: number, reason: string): Objective {
    return getOrMake(this.#known, `${ratio} ${reason}`, () => ({ ratio, reason }));
  }
}

/** The ratio in a tag; `invalid` for a malformed objective; undefined for other tags. */
export function ratioOfTag(tag: string): number | 'invalid' | undefined {
  const [, dashed, digits] = /^(?:slo-(.*)|uptime_slo_(.*))$/i.exec(tag) ?? [];
  if (dashed === undefined && digits === undefined) return undefined;
  const ratio = dashed === undefined ? ratioOfDigits(digits ?? '') : ratioOfPercent(dashed);
  return ratio >= minTagRatio && ratio < 1 ? ratio : 'invalid';
}

/** `99-95` is 99.95 %. */
function ratioOfPercent(text: string): number {
  const [, whole, part = ''] = /^(\d{2})(?:-(\d{1,6}))?$/.exec(text) ?? [];
  return whole === undefined ? Number.NaN : Number(`0.${whole}${part}`);
}

/** `9995` is 0.9995. `100` would leave no error budget, so it is invalid. */
function ratioOfDigits(text: string): number {
  return /^\d{2,8}$/.test(text) && !/^10+$/.test(text) ? Number(`0.${text}`) : Number.NaN;
}
