import { z } from 'zod';
import { matchesPattern } from '../config/filter.ts';
import type { CheckTag } from '../domain/check.ts';
import { unixSeconds, type WallClock } from '../lib/clock.ts';
import type { Month } from '../lib/month-calendar.ts';
import { plainEqual } from '../lib/plain-equal.ts';
import { present } from '../lib/present.ts';
import { type SloPolicy, type SloSettings, sloPolicy, sloSettingsOf } from '../slo/groups.ts';
import { firstSightOf } from '../slo/state-log.ts';
import type { ListedItem } from '../state/leaving.ts';
import type { Policies } from '../state/standing/policies.ts';
import { type ItemKind, itemKinds } from '../store/store.ts';
import type { MonthSubject } from './month-record.ts';
import { keyOf, type Subject } from './subject.ts';

export const namesDocument = 'feature months names';

type Entry = Pick<ListedItem['entry'], 'id' | 'name' | 'tags'>;
type Names = Pick<Entry, 'name' | 'tags'>;

interface FormerNames extends Names {
  readonly untilSeconds: number;
}

interface FormerPolicy {
  readonly untilSeconds: number;
  readonly settings: SloSettings;
}

const amount = z.number().nonnegative();
const texts = z.array(z.string()).exactOptional();
const ids = z.array(z.number()).exactOptional();
const selectors = { ids, names: texts, tags: texts };
const settings = z.object({
  objectives: z.object({
    defaultRatio: amount.exactOptional(),
    rules: z.array(z.object({ ratio: amount, ...selectors, groups: texts })).exactOptional(),
  }),
  groups: z.object({
    named: z.array(z.object({ name: z.string(), ...selectors })).exactOptional(),
    fromTags: texts,
    maxGroups: amount.exactOptional(),
  }),
});
const document = z.object({
  /** The objectives and groups with which the account was run last. */
  settings,
  policies: z.array(z.object({ untilSeconds: amount, settings })),
  names: z.array(
    z.object({
      kind: z.enum(itemKinds),
      id: amount,
      untilSeconds: amount,
      name: z.string(),
      tags: z.array(z.object({ name: z.string(), source: z.enum(['user', 'auto']) })),
    }),
  ),
});

interface NamesOptions {
  readonly policies: Pick<Policies, 'slo' | 'calendar'>;
  readonly serviceClock: WallClock;
}

/**
 * The names and tags of items, and the objectives and groups of the configuration, as they were at
 * the end of months that have no records yet. What has changed since then is kept here, and is
 * stored with the list that changed it.
 */
export class NamesOfThen {
  readonly #policies: NamesOptions['policies'];
  readonly #serviceClock: WallClock;
  /** By kind and id, oldest first. */
  #names = new Map<string, readonly FormerNames[]>();
  #formerPolicies: readonly FormerPolicy[] = [];
  #settings: SloSettings;
  /** That of the settings; undefined when they were restored. */
  #policy: SloPolicy | undefined;
  #rebuilt = new Map<SloSettings, SloPolicy>();
  #isStored = false;

  constructor({ policies, serviceClock }: NamesOptions) {
    this.#policies = policies;
    this.#serviceClock = serviceClock;
    this.#policy = policies.slo;
    this.#settings = sloSettingsOf(policies.slo);
  }

  /** Continues from the stored document. Returns false if it cannot be read. */
  restore(stored: unknown): boolean {
    const { data } = document.safeParse(stored);
    if (data === undefined) return stored === undefined;
    this.#formerPolicies = data.policies;
    this.#settings = data.settings;
    for (const { kind, id, ...names } of data.names) this.#add(keyOf({ kind, id }), names);
    this.#isStored = true;
    this.#policy = undefined;
    return true;
  }

  /** The entries before a list that has changed the names or tags of these items. */
  relabelled(kind: ItemKind, before: readonly Entry[]): void {
    const untilSeconds = this.#presentBegin;
    for (const { id, name, tags } of before) {
      const key = keyOf({ kind, id });
      if ((this.#names.get(key)?.at(-1)?.untilSeconds ?? 0) >= untilSeconds) continue;
      this.#add(key, { untilSeconds, name, tags });
      this.#isStored = false;
    }
  }

  /** The facts about an item that a month keeps, as the last list before its end had them. */
  subjectOf(kind: ItemKind, { entry, totals }: ListedItem, month: Month): MonthSubject {
    const { id } = entry;
    const { objectives, groups } = this.#policyAt(month);
    const { name, tags } = this.#namesAt(kind, entry, month);
    const names = kind === 'check' ? groups.of({ id, name, tags }) : [];
    return present({
      kind,
      id,
      name,
      hostname: 'hostname' in entry ? entry.hostname : undefined,
      tags: tags.map((tag) => tag.name),
      groups: names.map((group) => ({ name: group, ratio: objectives.ofGroup(group).ratio })),
      objective: objectives.of({ id, name, tags }).ratio,
      isSeenLater: firstSightOf(totals) >= month.toSeconds || undefined,
    });
  }

  #namesAt(kind: ItemKind, entry: Entry, { toSeconds }: Month): Names {
    const former = this.#names.get(keyOf({ kind, id: entry.id }));
    return former?.find(({ untilSeconds }) => untilSeconds >= toSeconds) ?? entry;
  }

  #policyAt({ toSeconds }: Month): SloPolicy {
    this.#follow();
    const former = this.#formerPolicies.find(({ untilSeconds }) => untilSeconds >= toSeconds);
    if (former === undefined) return this.#policies.slo;
    const known = this.#rebuilt.get(former.settings);
    if (known !== undefined) return known;
    const policy = sloPolicy(former.settings, matchesPattern);
    this.#rebuilt.set(former.settings, policy);
    return policy;
  }

  /** All months that ended by a time (UNIX seconds) have their records. */
  forget(endSeconds: number): void {
    const isNeeded = ({ untilSeconds }: { untilSeconds: number }) => untilSeconds > endSeconds;
    const all = [...this.#formerPolicies, ...[...this.#names.values()].flat()];
    if (all.every(isNeeded)) return;
    const names = this.#names;
    this.#names = new Map();
    for (const [key, former] of names) {
      for (const one of former.filter(isNeeded)) this.#add(key, one);
    }
    this.#formerPolicies = this.#formerPolicies.filter(isNeeded);
    this.#rebuilt = new Map();
    this.#isStored = false;
  }

  /** The document to store; undefined while it has not changed since. */
  takeChange(): z.input<typeof document> | undefined {
    this.#follow();
    if (this.#isStored) return undefined;
    this.#isStored = true;
    return {
      settings: this.#settings as z.input<typeof settings>,
      policies: [...this.#formerPolicies] as z.input<typeof document>['policies'],
      names: [...this.#names].flatMap(([key, all]) =>
        all.map(({ tags, ...names }) => ({ ...itemOf(key), ...names, tags: tagsOf(tags) })),
      ),
    };
  }

  notStored(): void {
    this.#isStored = false;
  }

  #add(key: string, names: FormerNames): void {
    this.#names.set(key, [...(this.#names.get(key) ?? []), names]);
  }

  /** A reload or a restart may have replaced the policy: the months that have ended keep the former one. */
  #follow(): void {
    if (this.#policies.slo === this.#policy) return;
    this.#policy = this.#policies.slo;
    const next = sloSettingsOf(this.#policy);
    if (plainEqual(next, this.#settings)) return;
    const untilSeconds = this.#presentBegin;
    if ((this.#formerPolicies.at(-1)?.untilSeconds ?? 0) < untilSeconds) {
      this.#formerPolicies = [...this.#formerPolicies, { untilSeconds, settings: this.#settings }];
    }
    this.#settings = next;
    this.#isStored = false;
  }

  get #presentBegin(): number {
    return this.#policies.calendar.containing(unixSeconds(this.#serviceClock)).fromSeconds;
  }
}

function itemOf(key: string): Subject {
  const [kind, id] = key.split(' ');
  return { kind: kind === 'check' ? 'check' : 'transaction', id: Number(id) };
}

function tagsOf(tags: readonly CheckTag[]): CheckTag[] {
  return tags.map(({ name, source }) => ({ name, source }));
}
