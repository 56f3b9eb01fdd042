/**
 * A header of the forms of the report for programs: the names of the accounts that were asked for and
 * cannot be read, percent-encoded and separated by commas.
 */
export const unreadableHeader = 'X-Unreadable-Accounts';
