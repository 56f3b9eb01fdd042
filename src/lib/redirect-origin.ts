/**
 * Where a header `Location` (RFC 9110, section 10.2.2) leads, for messages: without user, path and
 * query, which may be secrets. Undefined if it cannot be read.
 */
export function redirectOrigin(location: unknown, base: string | URL): string | undefined {
  if (typeof location !== 'string' || !URL.canParse(location, base)) return undefined;
  const { host, protocol } = new URL(location, base);
  return /^https?:$/.test(protocol) ? `${protocol}//${host}` : undefined;
}
