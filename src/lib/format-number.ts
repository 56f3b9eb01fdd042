/** Between digits that have three, six, … digits after them, up to the end or the point. */
const thousands = /(?<=\d)(?=(\d{3})+(?!\d))/g;

/**
 * Formats a number with at most one decimal and commas, without `Intl`, whose data take 8 MB of
 * memory.
 */
export function formatDecimal(value: number): string {
  const [whole = '', tenths = '0'] = value.toFixed(1).split('.');
  const grouped = whole.replace(thousands, ',');
  return tenths === '0' ? grouped : `${grouped}.${tenths}`;
}

/** A count and what is counted: `1 check`, `2 checks`. */
export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${formatDecimal(count)} ${count === 1 ? one : many}`;
}
