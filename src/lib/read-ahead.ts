/**
 * The results of reads in their order. While one of them is used, the next is being read; it is not
 * awaited by a user that stops early.
 */
export async function* readAhead<T>(reads: Iterable<() => Promise<T>>): AsyncGenerator<T> {
  let next: Promise<T> | undefined;
  for (const read of reads) {
    const one = next;
    next = read();
    next.catch(() => undefined);
    if (one !== undefined) yield await one;
  }
  if (next !== undefined) yield await next;
}
