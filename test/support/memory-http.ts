import { IncomingMessage, type RequestListener, ServerResponse, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import { Dispatcher } from 'undici';

/**
 * Passes requests to a request listener of this process without a connection. The listener gets the
 * usual objects of `node:http`; undici reads the response as if it had come over the network.
 */
export class MemoryDispatcher extends Dispatcher {
  readonly #listener: RequestListener;
  #isDisconnected = false;

  constructor(listener: RequestListener) {
    super();
    this.#listener = listener;
  }

  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    if (this.#isDisconnected) {
      handler.onError?.(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
      return true;
    }
    const socket = new MemorySocket();
    const incoming = incomingMessage(socket, options);
    const response = new ServerResponse(incoming);
    let isOver = false;
    /** Ends the exchange once, for the listener as well. */
    const over = () => {
      if (isOver) return false;
      isOver = true;
      socket.destroy();
      return true;
    };
    const fail = (error = new Error('aborted')) => {
      if (over()) handler.onError?.(error);
    };
    socket.onReset = () => fail(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    handler.onConnect?.(fail);
    if (isOver) return true;
    respondTo(response, handler, over, () => isOver);
    response.assignSocket(socket);
    this.#listener(incoming, response);
    return true;
  }

  /** From now on every request fails, as if nothing listened at the address. */
  disconnect(): void {
    this.#isDisconnected = true;
  }

  // A client ends its dispatcher with itself; the next client uses it again.
  override async close(): Promise<void> {}

  override async destroy(): Promise<void> {}
}

/** Takes the bytes that a response writes, and drops them: they have been passed on already. */
class MemorySocket extends Socket {
  onReset: () => void = () => {};

  constructor() {
    // No response ever waits for its reader.
    super({ writableHighWaterMark: 2 ** 40 } as object);
  }

  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done();
  }

  override _writev(_chunks: unknown, done: () => void): void {
    done();
  }

  override _read(): void {}

  override resetAndDestroy(): this {
    this.onReset();
    return this.destroy();
  }
}

function incomingMessage(
  socket: Socket,
  { method, path, headers, body }: Dispatcher.DispatchOptions,
): IncomingMessage {
  const incoming = new IncomingMessage(socket);
  incoming.method = method;
  incoming.url = path;
  incoming.httpVersion = '1.1';
  incoming.httpVersionMajor = 1;
  incoming.httpVersionMinor = 1;
  incoming.headers = { host: 'memory' };
  for (const [name, value] of Object.entries(headers ?? {})) {
    incoming.headers[name.toLowerCase()] = `${value}`;
  }
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    incoming.headers['content-length'] = `${Buffer.byteLength(body)}`;
    incoming.push(body);
  }
  incoming.push(null);
  incoming.complete = true;
  return incoming;
}

/**
 * Passes the response to the handler of undici. The methods are properties of the response, because
 * express replaces its prototype.
 */
function respondTo(
  response: ServerResponse,
  handler: Dispatcher.DispatchHandler,
  over: () => boolean,
  isOver: () => boolean,
): void {
  const { writeHead, write, end } = response;
  let hasHead = false;
  const head = () => {
    if (hasHead) return;
    hasHead = true;
    const { statusCode } = response;
    const raw = Object.entries(response.getHeaders()).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).flatMap((one) => [
        Buffer.from(name),
        Buffer.from(`${one}`),
      ]),
    );
    handler.onHeaders?.(statusCode, raw, () => {}, STATUS_CODES[statusCode] ?? '');
  };
  const data = (chunk: unknown) => {
    head();
    if (isOver() || response.req.method === 'HEAD') return;
    if (chunk === undefined || chunk === null || typeof chunk === 'function') return;
    handler.onData?.(Buffer.from(chunk as Buffer));
  };
  Object.assign(response, {
    writeHead: (statusCode: number, ...rest: unknown[]) => {
      const headers = rest.at(-1);
      if (typeof headers === 'object' && headers !== null) {
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      }
      response.statusCode = statusCode;
      return writeHead.call(response, statusCode);
    },
    write: (chunk: unknown, ...rest: unknown[]) => {
      const isTaken = write.apply(response, [chunk, ...rest] as never);
      data(chunk);
      return isTaken;
    },
    end: (...all: unknown[]) => {
      end.apply(response, all as never);
      data(all[0]);
      head();
      if (over()) handler.onComplete?.([]);
      return response;
    },
  });
}
