import { type DocumentChanges, DocumentSet } from '../store/format/document-set.ts';
import { itemKinds, type Store } from '../store/store.ts';
import { indexName, monthKind, readIndex } from './documents.ts';

const batchSize = 250;

interface CopiedMonths {
  readonly account: string;
  /** Months that began before this UNIX time are not copied. */
  readonly fromSeconds: number;
}

/** Stores the months of an account, and nothing else of it, in another store. */
export async function copyMonths(
  from: Store,
  to: Store,
  { account, fromSeconds }: CopiedMonths,
): Promise<void> {
  const { documents } = await from.load(account);
  const index = readIndex(documents.get(indexName));
  if (index === undefined) return;
  await to.load(account);
  const copies: DocumentChanges = new DocumentSet();
  const months = index.months.filter((month) => month.fromSeconds >= fromSeconds);
  copies.set(indexName, { ...index, months });
  for (const month of months) {
    for (const itemKind of itemKinds) {
      const kind = monthKind(month, itemKind);
      for (let afterId = -1; ; ) {
        const batch = await from.readMonth({ account, kind, afterId, most: batchSize });
        for (const stored of batch) {
          if ('value' in stored) copies.addRead(`${kind} ${stored.id}`, stored.value);
        }
        if (batch.length < batchSize) break;
        afterId = batch.at(-1)?.id ?? Number.POSITIVE_INFINITY;
      }
    }
  }
  await to.commit({ account, documents: copies });
}
