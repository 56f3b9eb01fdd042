import { hashUnit } from '../../lib/random.ts';

/** Draws numbers in [0, 1) that depend on the host, the time in UNIX seconds and what is drawn alone. */
export function hostDraws(host: string, time: number): (...what: readonly number[]) => number {
  const bytes = Buffer.from(host);
  return (...what) => hashUnit(time, ...what, ...bytes);
}

/** Whether the host is one that can never be reached (RFC 2606, section 2). */
export function isUnreachable(host: string): boolean {
  return host.endsWith('.invalid');
}
