import { ListenError } from './listen-address.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** After standard input, output and error (sd_listen_fds(3)). */
const firstDescriptor = 3;

/**
 * The listening sockets that systemd has passed to the process.
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
