/** Of a report for programs: the number of checks and transactions of which something becomes known by itself. */
export const awaitedHeader = 'X-Awaited-Items';
