import { isIPv6 } from 'node:net';
import type { Request } from 'express';

/** Who asks, as far as the connection shows it. */
export interface Client {
  /** What guesses and stalled scrapes are counted by. */
  readonly address: string;
  /** The program's own name (User-Agent). Distinguishes honest programs at one address. */
  readonly agent: string;
}

/** Clients that recently used a correct password. */
export interface KnownClients {
  has(client: Client): boolean;
  /** Its password was right. */
  accepted(client: Client): void;
}

/** An agent with as much of its name in common is the same. */
const maxAgentLength = 200;

/** `X-Forwarded-For` and the like are not read: whoever asks could write them. */
export function clientOf({ socket, headers }: Pick<Request, 'socket' | 'headers'>): Client {
  const agent = (headers['user-agent'] ?? '').slice(0, maxAgentLength);
  return { address: addressGroup(socket.remoteAddress), agent };
}

/**
 * An IPv4 address itself, also where it is mapped into IPv6 (RFC 4291, section 2.5.5.2); of an IPv6 address the first
 * 64 bits, which is what one customer has at least (RFC 6177). Every client of a UNIX socket has the same, an empty one.
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
