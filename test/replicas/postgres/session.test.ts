import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/lib/clock.ts';
import { databaseAddress } from '../../../src/lib/database-address.ts';
import { ConnectionLostError, Session } from '../../../src/replicas/postgres/session.ts';

const limits = { statement: 10_000, abandoned: 5_000 };

/** A message of the server: its type, its length, its content. */
function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + content.length);
  return Buffer.concat([Buffer.from(type), length, content]);
}

const authenticated = message('R', Buffer.alloc(4));
const ready = message('Z', Buffer.from('I'));
const completed = message('C', Buffer.from('SET\0'));
const terminated = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'));

/** Opens a session on a server that answers each data of the client with the next of these. */
async function sessionOf(...answers: readonly (readonly Buffer[])[]): Promise<Session> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const rest = [...answers];
    socket.on('error', () => {});
    socket.on('data', () => {
      const answer = rest.shift();
      if (answer === undefined) return;
      socket.write(Buffer.concat(answer));
      if (rest.length === 0) socket.end();
    });
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const address = databaseAddress(`postgres://uptime@127.0.0.1:${port}/uptime`);
  return Session.open({ address, clock: systemClock, limits });
}

test.each([
  ['while it is opened', [[authenticated, terminated]]],
  ['during its first statement', [[authenticated, ready], [terminated]]],
  [
    'between two statements',
    [
      [authenticated, ready],
      [completed, ready, terminated],
    ],
  ],
] as const)(
  'a session that the server ends %s is a lost connection, so that it is opened again',
  async (_, answers) => {
    await expect(sessionOf(...answers)).rejects.toThrow(ConnectionLostError);
  },
);

test('a connection that is refused is not a lost one', async () => {
  const refused = message('E', Buffer.from('SFATAL\0C3D000\0Mdatabase does not exist\0\0'));

  await expect(sessionOf([refused])).rejects.not.toThrow(ConnectionLostError);
});
