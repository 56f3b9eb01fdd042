import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export type Direction = 'to server' | 'to client';

interface Connection {
  readonly client: Socket;
  readonly server: Socket;
}

/** Sees each piece of bytes before it is passed on; may stop or cut the link. */
export type Watch = (bytes: Buffer, direction: Direction, connection: number) => void;

/**
 * The network between one client and one server. It can delay, hold and cut connections. While it
 * holds a direction, bytes wait as they do in a network that loses packets: they arrive late when
 * it lets them go, or never.
 */
export class Link {
  readonly #server: Server;
  readonly #connections = new Map<number, Connection>();
  readonly #held = new Map<
    Direction,
    { readonly end: Promise<void>; readonly release: () => void }
  >();
  /** The ports from which its connections have come to the server. */
  readonly ports = new Set<number>();
  #port: number;
  #count = 0;
  #refuses = false;
  #delayMilliseconds = 0;
  #watch: Watch | undefined;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.#port = port;
  }

  /** A link to a port of loopback. */
  static async to(port: number): Promise<Link> {
    const server = createServer();
    const link = new Link(server, port);
    server.on('connection', (socket: Socket) => void link.#accept(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return link;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The next connections lead to another server; the present ones are cut. */
  leadTo(port: number): void {
    this.#port = port;
    this.cut();
  }

  set delayMilliseconds(milliseconds: number) {
    this.#delayMilliseconds = milliseconds;
  }

  set watch(watch: Watch | undefined) {
    this.#watch = watch;
  }

  /** Ends every connection at once. */
  cut(): void {
    for (const { client, server } of this.#connections.values()) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
  }

  /** Cuts and refuses connections until `heal`. */
  refuse(): void {
    this.#refuses = true;
    this.cut();
  }

  /** Nothing passes in these directions until `heal`, and neither does the end of a connection. */
  hold(directions: readonly Direction[] = ['to server', 'to client']): void {
    for (const direction of directions) {
      if (this.#held.has(direction)) continue;
      let release = () => {};
      const end = new Promise<void>((resolve) => {
        release = resolve;
      });
      this.#held.set(direction, { end, release });
    }
  }

  /** Everything passes again. What was held arrives late, or is lost with its connection. */
  heal({ isLost = false }: { readonly isLost?: boolean } = {}): void {
    this.#refuses = false;
    this.#delayMilliseconds = 0;
    this.#watch = undefined;
    if (isLost && this.#held.size > 0) this.cut();
    for (const { release } of this.#held.values()) release();
    this.#held.clear();
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.heal({ isLost: true });
    this.cut();
    await closed;
  }

  async #accept(client: Socket): Promise<void> {
    client.on('error', () => {});
    if (this.#refuses) {
      client.resetAndDestroy();
      return;
    }
    client.pause();
    await this.#passage('to server');
    if (client.destroyed) return;
    const server = connect({ host: '127.0.0.1', port: this.#port });
    server.on('error', () => {});
    server.once('connect', () => this.ports.add(server.localPort ?? 0));
    client.setNoDelay(true);
    server.setNoDelay(true);
    const number = ++this.#count;
    this.#connections.set(number, { client, server });
    this.#pump({ from: client, to: server, direction: 'to server', number });
    this.#pump({ from: server, to: client, direction: 'to client', number });
  }

  #pump({
    from,
    to,
    direction,
    number,
  }: {
    readonly from: Socket;
    readonly to: Socket;
    readonly direction: Direction;
    readonly number: number;
  }): void {
    let last = Promise.resolve();
    const inTurn = (action: () => void) => {
      last = last.then(async () => {
        await this.#passage(direction);
        if (!to.destroyed) action();
      });
    };
    from.on('data', (bytes: Buffer) => {
      this.#watch?.(bytes, direction, number);
      inTurn(() => to.write(bytes));
    });
    from.on('end', () => inTurn(() => to.end()));
    from.on('close', () => {
      inTurn(() => to.destroy());
      if (to.destroyed) this.#connections.delete(number);
    });
    from.resume();
  }

  /** Resolves when bytes in this direction may pass. */
  async #passage(direction: Direction): Promise<void> {
    if (this.#delayMilliseconds > 0) await delay(this.#delayMilliseconds);
    for (;;) {
      const held = this.#held.get(direction);
      if (held === undefined) return;
      await held.end;
    }
  }
}
