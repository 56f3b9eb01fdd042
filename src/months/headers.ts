/*
 * Headers of the forms of the report for programs.
 */

/** The accounts that were asked for and cannot be read, percent-encoded, separated by commas. */
export const unreadableHeader = 'X-Unreadable-Accounts';

/** The number of checks and transactions of which something becomes known by itself. */
export const awaitedHeader = 'X-Awaited-Items';
