import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { onTestFinished } from 'vitest';

/** The server's action for a request whose head has arrived. */
export type Responder = (socket: Socket, request: ReceivedRequest) => void | Promise<void>;

export interface ReceivedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: ReadonlyMap<string, string>;
}

/**
 * A server that sends exactly the bytes of a test, including broken responses. It is closed when the
 * test ends.
 */
export class ResponseServer {
  readonly requests: ReceivedRequest[] = [];
  readonly #respond: Responder;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #waiting: (() => void)[] = [];
  readonly #scheme: 'http' | 'https';

  private constructor(respond: Responder, tls?: { readonly cert: string; readonly key: string }) {
    this.#respond = respond;
    this.#scheme = tls === undefined ? 'http' : 'https';
    const accept = (socket: Socket) => this.#serve(socket);
    this.#server = tls === undefined ? createServer(accept) : createTlsServer({ ...tls }, accept);
    this.#server.on('connection', (socket: Socket) => this.#sockets.add(socket));
  }

  static async start(
    respond: Responder,
    tls?: { readonly cert: string; readonly key: string },
  ): Promise<ResponseServer> {
    const server = new ResponseServer(respond, tls);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    onTestFinished(() => server.close());
    return server;
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when `count` requests have arrived. */
  async received(count: number): Promise<void> {
    while (this.requests.length < count) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(socket: Socket): void {
    socket.on('error', () => {});
    let head = '';
    socket.on('data', (bytes: Buffer) => {
      head += bytes.toString('latin1');
      for (let end = head.indexOf('\r\n\r\n'); end >= 0; end = head.indexOf('\r\n\r\n')) {
        const request = parseHead(head.slice(0, end));
        head = head.slice(end + 4);
        this.requests.push(request);
        for (const wake of this.#waiting.splice(0)) wake();
        void this.#respond(socket, request);
      }
    });
  }
}

function parseHead(head: string): ReceivedRequest {
  const [first = '', ...lines] = head.split('\r\n');
  const [method = '', target = ''] = first.split(' ');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { method, target, headers };
}

export interface ScriptedResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** The bytes of a correctly framed response. */
export function responseBytes({ status = 200, headers = {}, body = '' }: ScriptedResponse): Buffer {
  const payload = Buffer.from(body);
  const fields = { 'content-type': 'application/json', ...headers };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} Some Reason`, `Content-Length: ${payload.length}`, ...lines];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), payload]);
}

export function sendResponse(message: ScriptedResponse): Responder {
  return (socket) => void socket.write(responseBytes(message));
}

export function sendJson(value: unknown, message: Omit<ScriptedResponse, 'body'> = {}): Responder {
  return sendResponse({ ...message, body: JSON.stringify(value) });
}

/** Sends these bytes and ends the connection. */
export function sendAndClose(bytes: string | Uint8Array): Responder {
  return (socket) => void socket.end(bytes);
}

/** Sends these bytes and nothing more. */
export function sendAndHang(bytes: string | Uint8Array): Responder {
  return (socket) => void socket.write(bytes);
}

/** Ends the connection with a reset. */
export const reset: Responder = (socket) => void socket.resetAndDestroy();

/**
 * Sends `head`, then `chunk` repeatedly until the client disconnects or `limit` bytes are sent.
 * Returns the number of bytes sent.
 */
export async function flood(
  socket: Socket,
  head: string,
  chunk: Uint8Array,
  limit: number,
): Promise<number> {
  const gone = new Promise((resolve) => socket.once('close', resolve));
  socket.write(head);
  let sent = 0;
  while (!socket.destroyed && sent < limit) {
    sent += chunk.length;
    if (!socket.write(chunk)) {
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), gone]);
    }
  }
  return sent;
}
