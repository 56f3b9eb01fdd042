import { expect, test } from 'vitest';
import { numberedChecks, type SandboxCheck } from '../../src/account/checks.ts';
import { tagCounter } from '../../src/account/numbered.ts';
import fc from '../support/fast-check.ts';

const checkOf = (id: number, tags: readonly string[]): SandboxCheck => ({
  id,
  name: `check ${id}`,
  type: 'ping',
  hostname: 'a',
  resolutionMinutes: 5,
  created: 0,
  ipv6: false,
  severity: 'low',
  stability: 'steady',
  typicalResponseMilliseconds: 1,
  tags: tags.map((name) => ({ name, type: 'u' })),
  settings: {},
  runs: [],
});

const tagSets = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'));
const writes = fc.array(
  fc.record({
    kind: fc.constantFrom('add' as const, 'change' as const, 'remove' as const),
    which: fc.nat(20),
    tags: tagSets,
  }),
);

const countTags = tagCounter<SandboxCheck>(({ tags }) => tags.map(({ name }) => name));

test('lists by identifier and counts tags as a plain list would, whatever is written', () => {
  fc.assert(
    fc.property(fc.array(tagSets, { maxLength: 6 }), writes, fc.nat(), (seeded, steps, seed) => {
      const checks = seeded.map((tags, position) => checkOf(100 + 3 * position, tags));
      const registry = numberedChecks(seed, checks);
      let model = checks;
      const used = new Set(checks.map(({ id }) => id));

      for (const { kind, which, tags } of steps) {
        const target = model[which % Math.max(1, model.length)];
        if (kind === 'add') {
          const check = registry.add((id) => checkOf(id, tags));
          expect(used.has(check.id)).toBe(false);
          used.add(check.id);
          model = [...model, check];
        } else if (target !== undefined && kind === 'change') {
          const check = checkOf(target.id, tags);
          registry.put(check);
          model = model.map((each) => (each.id === check.id ? check : each));
        } else if (target !== undefined) {
          registry.remove(target.id);
          model = model.filter((each) => each !== target);
        }

        expect(registry.all).toEqual(model.toSorted((a, b) => a.id - b.id));
        expect(registry.find(target?.id ?? -1)).toEqual(model.find(({ id }) => id === target?.id));
        for (const tag of ['a', 'b', 'c']) {
          const bearing = model.filter((check) => check.tags.some(({ name }) => name === tag));
          expect(countTags(registry.all).get(tag) ?? 0).toBe(bearing.length);
        }
      }
    }),
  );
});
