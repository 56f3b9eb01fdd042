import { accountFamilies } from '../../../src/exposition/catalogue/account-families.ts';
import { checkFamilies } from '../../../src/exposition/catalogue/catalogue.ts';
import type { RowFamily, SampleSink } from '../../../src/exposition/catalogue/family.ts';
import { transactionFamilies } from '../../../src/exposition/catalogue/transaction-families.ts';
import type { Format } from '../../../src/exposition/formats.ts';
import { accountLabels } from '../../../src/exposition/labels/account-labels.ts';
import type { LabelPolicy } from '../../../src/exposition/labels/label-policy.ts';
import { isWithdrawn } from '../../../src/exposition/page/account-texts.ts';
import { familyHeader, formatBound } from '../../../src/exposition/text-format.ts';
import type { AccountSnapshot } from '../../../src/state/snapshot.ts';

type Lines = string[];

/** The text of a page, made in the simplest way: without blocks, reuse or compression. */
export function plainRendering(
  snapshots: readonly AccountSnapshot[],
  policy: LabelPolicy,
  format: Format,
): string {
  const labels = new Map(
    snapshots.map((snapshot) => [snapshot, accountLabels(policy, snapshot.account)]),
  );
  const page: Lines = [];
  const add = <R>(
    families: readonly RowFamily<R>[],
    rowsOf: (snapshot: AccountSnapshot) => readonly R[],
    commonOf: (snapshot: AccountSnapshot, row: R, family: RowFamily<R>) => string,
  ) => {
    for (const family of families) {
      const lines: Lines = [];
      for (const snapshot of snapshots) {
        if (isWithdrawn(family, snapshot.datasets)) continue;
        for (const part of family.parts ?? [family]) {
          for (const row of rowsOf(snapshot)) {
            part.samples(row, linesOf(family, commonOf(snapshot, row, family), lines));
          }
        }
      }
      if (lines.length > 0) page.push(familyHeader(family, format), ...lines);
    }
  };
  add(
    accountFamilies,
    (snapshot) => [snapshot],
    (_, { account }) => `account="${escaped(account)}"`,
  );
  add(
    checkFamilies,
    ({ checks = [] }) => checks,
    (snapshot, row, family) => labels.get(snapshot)?.checks.textOf(row, family.labels) ?? '',
  );
  add(
    transactionFamilies,
    ({ transactions = [] }) => transactions,
    (snapshot, row, family) => labels.get(snapshot)?.transactions.textOf(row, family.labels) ?? '',
  );
  return Buffer.from(page.join('')).toString();
}

function linesOf(
  { name, labels }: { readonly name: string; readonly labels: readonly string[] },
  common: string,
  lines: Lines,
): SampleSink {
  const own = (values: readonly string[]) =>
    labels.map((label, place) => `,${label}="${escaped(values[place] ?? '')}"`).join('');
  const line = (suffix: string, rest: string, value: number) =>
    lines.push(`${name}${suffix}{${common}${rest}} ${String(value).replace('Infinity', 'Inf')}\n`);
  return {
    emit: (value, ...values) => {
      if (value === undefined || Number.isNaN(value)) return;
      line('', own(values), Number(value));
    },
    histogram: (totals) => {
      if (totals === undefined) return;
      const counts = totals.counts.map((_, place) =>
        totals.counts.slice(0, place + 1).reduce((sum, count) => sum + count, 0),
      );
      for (const [place, count] of counts.entries()) {
        const bound = totals.bounds[place] ?? Number.POSITIVE_INFINITY;
        line('_bucket', `,le="${formatBound(bound)}"`, count);
      }
      line('_sum', '', totals.sumSeconds);
      line('_count', '', counts.at(-1) ?? 0);
    },
    summary: (sum, count, ...values) => {
      line('_sum', own(values), sum);
      line('_count', own(values), count);
    },
  };
}

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n');
}
