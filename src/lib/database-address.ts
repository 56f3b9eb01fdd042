import { succeeds } from './or-undefined.ts';

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;
const tlsModes = ['disable', 'verify-full'] as const;
const defaultPort = 5432;

/** Where a database is. The password is not part of it. */
export interface DatabaseAddress {
  /** A host name, an address, or the folder of a UNIX socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** Connections are encrypted, and the server proves its name with a certificate. */
  readonly isTls: boolean;
}

/** Why the URL is not allowed; undefined when it is. */
export function databaseUrlProblem(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^postgres(?:ql)?:$/.test(parsed.protocol)) {
    return 'must be a URL such as postgres://uptime@db.example.com/uptime';
  }
  const { username, password, pathname, hash, searchParams } = parsed;
  if (password !== '')
    return 'must have no password: put it into a file, see --storage.password-file';
  if (username === '') return 'must name the user, as in postgres://uptime@db.example.com/uptime';
  if (!/^\/[^/]+$/.test(pathname)) {
    return 'must name the database, as in postgres://uptime@db.example.com/uptime';
  }
  if (!succeeds(() => [username, pathname].map(decodeURIComponent))) {
    return 'must have each % in the names of its user and database written as %25';
  }
  if (hash !== '') return 'must have no fragment';
  for (const name of searchParams.keys()) {
    if (name !== 'sslmode' && name !== 'host') {
      return `must have no parameter "${name}"; allowed: sslmode, host`;
    }
  }
  const mode = searchParams.get('sslmode');
  if (mode !== null && !tlsModes.some((one) => one === mode)) {
    return `must have sslmode=${tlsModes.join(' or sslmode=')}`;
  }
  const socket = searchParams.get('host');
  return socket === null || socket.startsWith('/')
    ? undefined
    : 'must have the folder of a UNIX socket as its parameter "host"';
}

/** The parts of an allowed URL. Without `sslmode`, only sockets and loopback are without TLS. */
export function databaseAddress(url: string): DatabaseAddress {
  const { hostname, port, username, pathname, searchParams } = new URL(url);
  const socket = searchParams.get('host');
  const isLocal = socket !== null || loopback.test(hostname);
  return {
    host: socket ?? hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? defaultPort : Number(port),
    user: decodeURIComponent(username),
    database: decodeURIComponent(pathname.slice(1)),
    isTls: (searchParams.get('sslmode') ?? (isLocal ? 'disable' : 'verify-full')) !== 'disable',
  };
}

/** For messages. */
export function addressText({ host, port, database }: DatabaseAddress): string {
  return `${database} at ${host}:${port}`;
}
