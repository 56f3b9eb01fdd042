import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** The exporter cannot listen; the message has the address, the reason and the remedy. */
export class ListenError extends Error {
  override readonly name = 'ListenError' as const;
}

/** An address such as `:9158` or `[::1]:9158`, or a socket that systemd has opened. */
export type ListenOn = string | { readonly fd: number };

interface ListenAddress {
  /** Absent to listen on all addresses of the machine. */
  readonly host?: string;
  /** 0 for any free port. */
  readonly port: number;
}

const loopback6 = new BlockList();
loopback6.addAddress('::1', 'ipv6');
loopback6.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');

const maxPort = 65_535;
const addressPattern = /^(?:\[([^[\]]*)\]|([^:[\]]*)):([^:[\]]*)$/;
const namePattern = /^(?=.{1,253}$)[a-z\d_](?:[a-z\d_.-]*[a-z\d_])?$/i;

/**
 * Parses an address as the Prometheus tools write it: `:9158`, `127.0.0.1:9158`, `[::1]:9158`,
 * `localhost:9158`.
 *
 * @throws {ListenError} when it is malformed
 */
export function parseListenAddress(text: string): ListenAddress {
  const match = addressPattern.exec(text);
  if (match === null) throw malformed('it is not host:port');
  const [, bracketed, bare, portText = ''] = match;
  if (!/^\d{1,5}$/.test(portText) || Number(portText) > maxPort) {
    throw malformed(`the port is not a number from 0 to ${maxPort}`);
  }
  const port = Number(portText);
  if (bracketed !== undefined) {
    if (!isIPv6(bracketed)) throw malformed('there is no IPv6 address in the brackets');
    return { host: bracketed, port };
  }
  if (bare === undefined || bare === '') return { port };
  if (!isIPv4(bare) && (/^[\d.]+$/.test(bare) || !namePattern.test(bare))) {
    throw malformed('the host is neither an IP address nor a host name');
  }
  return { host: bare, port };
}

/** Returns the mistake in an address; undefined when it is valid. */
export function listenAddressProblem(text: string): string | undefined {
  try {
    parseListenAddress(text);
    return undefined;
  } catch (error) {
    if (error instanceof ListenError) return error.message;
    throw error;
  }
}

export function formatListenAddress(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Returns whether only this machine reaches an address (RFC 6890: 127.0.0.0/8 and ::1). */
export function isLoopback(address: string): boolean {
  if (isIPv4(address)) return address.startsWith('127.');
  return isIPv6(address) && loopback6.check(address, 'ipv6');
}

function malformed(reason: string): ListenError {
  return new ListenError(
    `bad listen address: ${reason}; examples: ":9158", "127.0.0.1:9158", "[::1]:9158"`,
  );
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Descriptors 0 to 2 are standard input, output and error (sd_listen_fds(3)). */
const firstDescriptor = 3;

/**
 * Returns the listening sockets that systemd passed to the process.
 *
 * @throws {ListenError} when there are none, or they are meant for another process
 */
export function systemdSockets(
  { LISTEN_PID: pid, LISTEN_FDS: count = '' }: Environment,
  ownPid: number,
): readonly { readonly fd: number }[] {
  const remedy =
    'start the exporter from a socket unit of systemd, or leave out --web.systemd-socket';
  if (!/^[1-9]\d{0,3}$/.test(count)) {
    throw new ListenError(
      `no socket activation file descriptors found (LISTEN_FDS is not set): ${remedy}`,
    );
  }
  if (Number(pid) !== ownPid) {
    throw new ListenError(
      `the socket activation file descriptors are for process ${Number(pid)}, this one is ${ownPid}: ${remedy}; a shell in between must exec it`,
    );
  }
  return Array.from({ length: Number(count) }, (_, place) => ({ fd: firstDescriptor + place }));
}

/**
 * Returns where a process listens: on its addresses, or on the sockets of systemd.
 *
 * @throws {ListenError} when the sockets of systemd are wanted and it has passed none
 */
export function placesToListen(
  serving: { readonly systemdSocket: boolean; readonly listenAddresses: readonly string[] },
  env: Environment,
  ownPid: number,
): readonly ListenOn[] {
  return serving.systemdSocket ? systemdSockets(env, ownPid) : serving.listenAddresses;
}
