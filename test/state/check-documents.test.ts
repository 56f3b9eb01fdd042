import { describe, expect, it } from 'vitest';
import { type Check, checkStatuses, checkTypes } from '../../src/domain/check.ts';
import { CheckDocuments } from '../../src/state/check-documents.ts';
import { changed, type DocumentChanges, DocumentSet } from '../../src/store/format/document-set.ts';
import fc from '../support/fast-check.ts';

/** A store that holds documents as JSON. */
class Documents {
  all = new DocumentSet();

  write(changes: DocumentChanges): string[] {
    this.all = changed(this.all, asJson(changes));
    return kindsOf(changes);
  }
}

function asJson(changes: DocumentChanges): DocumentChanges {
  const copy: DocumentChanges = new DocumentSet();
  for (const [key, value] of changes) copy.setRead(key, JSON.parse(JSON.stringify(value)));
  return copy;
}

function kindsOf(documents: DocumentSet | DocumentChanges): string[] {
  return [...documents].map(([{ kind, id }]) => `${kind} ${id}`);
}

const anyField: { readonly [K in keyof Required<Check>]: fc.Arbitrary<Required<Check>[K]> } = {
  // Some of them share a part, and one is in the first part.
  id: fc.constantFrom(1, 2, 251, 252, 503, 5_000_000),
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

const byId = (a: Check, b: Check) => a.id - b.id;

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

        const restored = new CheckDocuments().read(store.all);
        expect(restored?.toSorted(byId)).toEqual(lists.at(-1)?.toSorted(byId));
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

  it('writes no settings when only measurements changed, after a restart as well', () => {
    const store = new Documents();
    const documents = new CheckDocuments();
    store.write(documents.changed([check]));
    documents.markStored([check]);
    const tested: Check = { ...check, status: 'down', lastTestAtSeconds: 160 };

    expect(store.write(documents.changed([tested]))).toEqual(['check measurements 1']);
    const restarted = new CheckDocuments();
    const [restored] = restarted.read(store.all) ?? [];
    expect(kindsOf(restarted.changed([{ ...tested, tags: restored?.tags ?? [] }]))).toEqual([
      'check measurements 1',
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

    expect(kindsOf(store.all)).toEqual(['check measurements 0']);
  });
});
