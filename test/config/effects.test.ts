import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Configuration, configurationSchema } from '../../src/config/configuration.ts';
import { ConfigurationError } from '../../src/config/problems.ts';
import { accountFamilies } from '../../src/exposition/catalogue/account-families.ts';
import { checkFamilies } from '../../src/exposition/catalogue/catalogue.ts';
import { configurationWith } from './configured-keys.ts';
import { effects } from './effects.ts';

const root = join(import.meta.dirname, '..', '..');

/** The paths of all keys that have a value of their own. */
function leavesOf(schema: z.ZodType, path: readonly string[] = []): string[] {
  if (schema instanceof z.ZodOptional) return leavesOf(schema.unwrap() as z.ZodType, path);
  if (schema instanceof z.ZodPipe) return leavesOf(schema.in as z.ZodType, path);
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([key, of]) =>
      leavesOf(of as z.ZodType, [...path, key]),
    );
  }
  if (schema instanceof z.ZodArray && path.length > 0) {
    return leavesOf(schema.element as z.ZodType, [...path, '[]']);
  }
  return [path.join('.')];
}

const tag = (name: string) => ({ name, source: 'user' }) as const;
const samples = [
  { id: 1, name: 'blog', tags: [] },
  { id: 2, name: 'shop-1', tags: [] },
  { id: 3, name: 'lab', tags: [tag('critical'), tag('team:a')] },
];

/** What the program makes of a configuration, without the digest of its text. */
function settingsOf(configuration: Configuration): string {
  const { shown: _, labels, served, slo, accounts, ...others } = configuration;
  const source = { hostname: 'a.example.com', type: 'http', tags: [] } as const;
  const comparable = {
    ...others,
    promoted: labels.promotedOf('check', { ...samples[0], ...source }),
    served: [...accountFamilies, ...checkFamilies]
      .filter((family) => served.serves(family))
      .map(({ name }) => name),
    objectives: [
      ...samples.map((sample) => slo.objectives.of(sample)),
      slo.objectives.ofGroup('team:a'),
    ],
    groups: [samples.map((sample) => slo.groups.of(sample)), slo.groups.maxGroups],
    accounts: accounts.map(
      ({ digest: _digest, filter, authentication, hookSecret, ...account }) => ({
        ...account,
        selected: filter && samples.map(filter),
        headers: authentication.headers(),
        hookSecret: hookSecret?.reveal(),
      }),
    ),
  };
  return inspect(comparable, { depth: null, maxArrayLength: null, breakLength: 80 });
}

/** The settings; the refusal of a configuration without them. */
function outcomeOf(keys: Readonly<Record<string, unknown>>): string {
  try {
    return settingsOf(configurationWith(keys));
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.message;
  }
}

test('each key of the configuration has an effect, and none has two', () => {
  const keys = effects.map(({ key }) => key);
  expect(keys.toSorted()).toEqual(leavesOf(configurationSchema).toSorted());
});

describe.each(effects.map((effect) => [effect.key, effect] as const))('%s', (key, effect) => {
  test('is a setting of the program', () => {
    const { value, beside, insteadOf = '' } = effect;
    const after = { ...beside, [insteadOf]: undefined, [key]: value };
    expect(outcomeOf(after)).not.toBe(outcomeOf(beside));
  });

  test('has a test that shows its effect', () => {
    const [file, title] = effect.shownBy;
    expect(existsSync(join(root, file))).toBe(true);
    expect(readFileSync(join(root, file), 'utf8')).toContain(title);
  });
});
