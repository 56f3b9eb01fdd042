import { isIPv6 } from 'node:net';
import type { Request } from 'express';

/** The address of a client. `X-Forwarded-For` is not read, because any client can write it. */
export function addressOf({ socket }: Pick<Request, 'socket'>): string {
  return addressGroup(socket.remoteAddress);
}

/**
 * Returns an IPv4 address itself, also if it is mapped into IPv6 (RFC 4291, section 2.5.5.2).
 * Returns the first 64 bits of an IPv6 address, the least that one customer has (RFC 6177). All
 * clients of a UNIX socket share the empty address.
 */
export function addressGroup(address = ''): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array.from({ length: missing }, () => '0'), ...right].slice(0, 4).join(':');
}
