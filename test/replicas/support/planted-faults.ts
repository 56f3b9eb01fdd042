import type { Change } from './variants.ts';

const backend = 'src/replicas/postgres/postgres-backend.ts';
const leases = 'src/replicas/leases/held-leases.ts';

/** Faults in the fence of an account and in its lease. */
export const planted = {
  'no fence': [
    {
      file: backend,
      original: 'WHERE account = $1 AND epoch = $2 AND commit = $3 RETURNING 1 AS one`',
      changed:
        'WHERE account = $1 AND ($2::uuid IS NOT NULL OR $3::uuid IS NOT NULL) RETURNING 1 AS one`',
    },
  ],
  'numbers in place of tokens': [
    {
      file: backend,
      original: 'this.#read(session, account, fenced?.epoch ?? tokens.epoch)',
      changed: 'this.#read(session, account, fenced?.epoch ?? numbered(number ?? 0))',
    },
    {
      file: backend,
      original: 'const fence = { epoch, commit: randomUUID(), sent: [] };',
      changed:
        'const fence = { epoch, commit: numbered(row === undefined ? 1 : numberOf(String(row.commit)) + 1), sent: [] };',
    },
    {
      file: backend,
      original: 'const next = { epoch: fence.epoch, commit: randomUUID(), sent: [] };',
      changed:
        'const next = { epoch: fence.epoch, commit: numbered(numberOf(fence.commit) + 1), sent: [] };',
    },
    {
      file: backend,
      original: 'async function holderOf(',
      changed: `function numbered(value: number): string {
  return \`00000000-0000-4000-8000-\${value.toString(16).padStart(12, '0')}\`;
}
function numberOf(text: string): number {
  return Number.parseInt(text.slice(-12), 16);
}
async function holderOf(`,
    },
  ],
  'serving after expiry': [
    {
      file: leases,
      original: 'return this.remainingMilliseconds(account) > 0;',
      changed: 'return this.#held.has(account);',
    },
    {
      file: leases,
      original: 'const lost = this.accounts.filter((account) => stood || !this.trusts(account));',
      changed: 'const lost: string[] = stood ? [] : [];',
    },
  ],
} as const satisfies Record<string, readonly Change[]>;
