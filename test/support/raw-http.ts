import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

interface Origin {
  /** The local address; all of 127.0.0.0/8 belong to this machine. */
  readonly from?: string;
}

/** A connection on which a test controls every byte, and whether it reads. */
export async function connectTo(url: string, { from }: Origin = {}): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const local = from === undefined ? {} : { localAddress: from };
  const socket = connect({ host: hostname, port: Number(port), ...local });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Sends a GET without reading the response, like a scraper that has stalled. */
export async function scrapeWithoutReading(url: string, origin: Origin = {}): Promise<Socket> {
  const socket = await connectTo(url, origin);
  socket.pause();
  socket.write(`GET /metrics HTTP/1.1\r\nHost: test\r\n\r\n`);
  return socket;
}

/** All bytes from the server until it closes the connection. */
export async function readToEnd(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += chunk;
  return text;
}

/** The whole response to raw bytes. */
export async function exchange(url: string, request: string): Promise<string> {
  const socket = await connectTo(url);
  socket.write(request);
  return await readToEnd(socket);
}
