import type { Response } from 'express';
import type { UnreadAccount } from './unread-accounts.ts';

/** The accounts that were asked for and cannot be read, percent-encoded, separated by commas. */
export const unreadableHeader = 'X-Unreadable-Accounts';

/** For programs, whose forms have no sentences. */
export function nameUnreadable(response: Response, unread: readonly UnreadAccount[]): void {
  const unreadable = unread.filter(({ missing }) => missing === 'account');
  if (unreadable.length === 0) return;
  const names = unreadable.map(({ account }) => encodeURIComponent(account));
  response.set(unreadableHeader, names.join(','));
}
