import { describe, expect, it } from 'vitest';
import { type Check, checkStatuses, checkTypes } from '../../src/domain/check.ts';
import { CheckDocuments } from '../../src/state/check-documents.ts';
import { type DocumentChanges, DocumentSet } from '../../src/store/format/document-set.ts';
import fc from '../support/fast-check.ts';

/** A store that holds documents as JSON. */
class Documents {
  readonly #all = new Map<string, string>();

  get all(): DocumentSet {
    const documents = new DocumentSet();
    for (const [name, text] of this.#all) documents.addRead(name, JSON.parse(text));
    return documents;
  }

  write(changed: DocumentChanges): string[] {
    for (const [name, value] of changed) {
      if (value === null) this.#all.delete(name);
      else this.#all.set(name, JSON.stringify(value));
    }
    return namesOf(changed);
  }
}

function namesOf(documents: Iterable<readonly [name: string, value: unknown]>): string[] {
  return [...documents].map(([name]) => name);
}

const anyField: { readonly [K in keyof Required<Check>]: fc.Arbitrary<Required<Check>[K]> } = {
  // Some of them share a document.
  id: fc.constantFrom(1, 2, 129, 257, 5_000_000),
  name: fc.string(),
  type: fc.constantFrom(...checkTypes),
  status: fc.constantFrom(...checkStatuses),
  hostname: fc.string(),
  severity: fc.string(),
  ipv6: fc.boolean(),
  tags: fc.array(fc.record({ name: fc.string(), source: fc.constantFrom('user', 'auto') })),
  resolutionSeconds: fc.nat(),
  createdAtSeconds: fc.nat(),
  lastTestAtSeconds: fc.nat(),
  lastErrorAtSeconds: fc.nat(),
  lastDownStartAtSeconds: fc.nat(),
  lastDownEndAtSeconds: fc.nat(),
  lastResponseTimeSeconds: fc.nat(),
};
const anyEntry = fc.record(anyField, { requiredKeys: ['id', 'name', 'type', 'status', 'tags'] });
const anyList = fc.uniqueArray(anyEntry, { selector: ({ id }) => id });

const check = {
  id: 1,
  name: 'shop',
  type: 'http',
  status: 'up',
  tags: [{ name: 'a', source: 'user' }],
  lastTestAtSeconds: 100,
} as const satisfies Check;

describe('CheckDocuments', () => {
  it('gives back any list that it was given last', () => {
    fc.assert(
      fc.property(fc.array(anyList, { minLength: 1 }), (lists) => {
        const store = new Documents();
        const documents = new CheckDocuments();
        for (const list of lists) {
          store.write(documents.changed(list));
          documents.markStored(list);
        }

        expect(new CheckDocuments().read(store.all)).toEqual(lists.at(-1));
      }),
    );
  });

  it('has no list before it was given one', () => {
    expect(new CheckDocuments().read(new DocumentSet())).toBeUndefined();
  });

  it('tells an empty list from none', () => {
    const store = new Documents();
    store.write(new CheckDocuments().changed([]));

    expect(new CheckDocuments().read(store.all)).toEqual([]);
  });

  it('writes no settings when only the readings changed, after a restart as well', () => {
    const store = new Documents();
    const documents = new CheckDocuments();
    store.write(documents.changed([check]));
    documents.markStored([check]);
    const tested: Check = { ...check, status: 'down', lastTestAtSeconds: 160 };

    expect(store.write(documents.changed([tested]))).toEqual(['check readings']);
    const restarted = new CheckDocuments();
    const [restored] = restarted.read(store.all) ?? [];
    expect(namesOf(restarted.changed([{ ...tested, tags: restored?.tags ?? [] }]))).toEqual([
      'check readings',
    ]);
  });

  it('writes again what did not reach the store', () => {
    const store = new Documents();
    const documents = new CheckDocuments();
    documents.changed([check]);

    store.write(documents.changed([check]));

    expect(new CheckDocuments().read(store.all)).toEqual([check]);
  });

  it('forgets the settings of a removed check', () => {
    const store = new Documents();
    const documents = new CheckDocuments();
    store.write(documents.changed([check]));
    documents.markStored([check]);

    store.write(documents.changed([]));

    expect(namesOf(store.all)).toEqual(['check readings']);
  });
});
