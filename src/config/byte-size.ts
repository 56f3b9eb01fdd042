const units: Readonly<Record<string, number>> = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

/** Bytes of a size such as `64MiB`; undefined when it is none. */
export function parseByteSize(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d+)(KiB|MiB|GiB)$/.exec(text) ?? [];
  const size = units[unit];
  return size === undefined ? undefined : Number(digits) * size;
}
