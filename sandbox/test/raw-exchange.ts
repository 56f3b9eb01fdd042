import { connect } from 'node:net';

interface RawReply {
  /** The status line and headers as received, including case. */
  readonly head: string;
  readonly body: Buffer;
  /** The code of the socket's error, such as ECONNRESET. */
  readonly error: string | undefined;
}

/** Sends one GET request and reads bytes until the connection ends or fails. */
export function rawGet(url: string, path: string, headers: Readonly<Record<string, string>>) {
  const { hostname, port } = new URL(url);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const chunks: Buffer[] = [];
  return new Promise<RawReply>((resolve) => {
    const socket = connect(Number(port), hostname);
    let error: string | undefined;
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', (failure: NodeJS.ErrnoException) => {
      error = failure.code;
    });
    socket.on('close', () => {
      const bytes = Buffer.concat(chunks);
      const end = bytes.indexOf('\r\n\r\n');
      resolve({
        head: bytes.subarray(0, Math.max(0, end)).toString('latin1'),
        body: bytes.subarray(end + 4),
        error,
      });
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${lines.join('')}\r\n`);
  });
}
