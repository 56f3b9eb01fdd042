import { expect, test } from 'vitest';
import { configurationNotes } from '../../src/config/notes.ts';
import { read } from './support.ts';

const account = (name: string, token: string) =>
  `  - { name: ${name}, base_url: "https://api.example.com", token: ${token} }\n`;

function notesOf(accounts: string, rest = ''): readonly string[] {
  return configurationNotes(read(`accounts:\n${accounts}${rest}`));
}

test('an account with a short secret is named', () => {
  expect(notesOf(account('a', 'short'))).toEqual([
    'a secret of the account "a" is shorter than 8 characters: it is removed from the log only where it stands alone',
  ]);
});

test('settings of datasets that the version lacks are named', () => {
  const old = `  - name: old
    base_url: https://api.example.com
    version: 2.0
    email: a@example.com
    password: password-1234
    app_key: app-key-1234
    datasets: { transactions: { floor: 10m }, teams: { enabled: true }, account: { floor: 2h } }
`;
  expect(notesOf(old)).toEqual([
    'the settings of the dataset transactions of the account "old" have no effect: API 2.0 does not have it',
    'the settings of the dataset teams of the account "old" have no effect: API 2.0 does not have it',
  ]);
});

test('settings of a database are named where there is none', () => {
  const accounts = account('a', 'token-12345678');
  const storage = (url: string) => `storage: { lease_ttl: 1m, password_file: secret${url} }\n`;
  expect(notesOf(accounts, storage(''))).toEqual([
    'storage.password_file is for a database: it has no effect without storage.url or --storage.url',
    'storage.lease_ttl is for a database: it has no effect without storage.url or --storage.url',
  ]);
  expect(notesOf(accounts, storage(', url: "postgres://uptime@db.example.com/uptime"'))).toEqual(
    [],
  );
});

test('groups of one name, and rules for groups that do not exist, are named', () => {
  const rest = `
groups:
  from_tags: ["team:*"]
  named: [{ name: checkout, tags: [a] }, { name: checkout, tags: [b] }]
objectives:
  rules: [{ ratio: 0.99, groups: [chekout, "team:payments", "ch*", "service:x", checkout] }]
`;
  expect(notesOf(account('a', 'token-12345678'), rest)).toEqual([
    'two groups are named "checkout": they are one group',
    'a rule of objectives is for the group "chekout", which does not exist; did you mean "checkout"?',
    'a rule of objectives is for the group "service:x", which does not exist',
  ]);
});

test('public names that stand twice, and groups of pages that do not exist, are named', () => {
  const rest = `
groups:
  named: [{ name: shop, tags: [a] }]
pages:
  - name: shop
    title: Shop
    account: a
    group: shop
    checks: [{ id: 1, name: Home }, { id: 2, name: Home }, { id: 2, name: Search }]
  - { name: other, title: Other, account: a, group: shopp }
`;
  expect(notesOf(account('a', 'token-12345678'), rest)).toEqual([
    'two checks of the page "shop" have the public name "Home"',
    'the page "shop" names the check 2 twice',
    'the page "other" is for the group "shopp", which does not exist; did you mean "shop"?',
  ]);
});
