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

/** A row with the process of the session and its start. */
const identified = [
  message('T', Buffer.concat([int16(2), ...['pid', 'started_at'].map(textColumn)])),
  message('D', Buffer.concat([int16(2), ...['7', '2026-10-01'].map(textValue)])),
];

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function textColumn(name: string): Buffer {
  return Buffer.concat([Buffer.from(`${name}\0`), Buffer.alloc(18)]);
}

function textValue(text: string): Buffer {
  return Buffer.concat([int16(0), int16(text.length), Buffer.from(text)]);
}

/**
 * Opens a session on a server that answers each data of the client with the next of these, and then
 * closes the connection.
 */
async function sessionOf(...answers: readonly (readonly Buffer[])[]) {
  const received: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const rest = [...answers];
    socket.on('error', () => {});
    socket.on('data', (data) => {
      received.push(data);
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
  return { session: await Session.open({ address, clock: systemClock, limits }), received };
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

test('a session that is ended tells the server so, which then ends it at once', async () => {
  const done = [completed, ready];
  const opening = [[authenticated, ready], done, done, [...identified, ...done]];
  const { session, received } = await sessionOf(...opening, []);
  expect(session.key).toEqual({ pid: '7', startedAt: '2026-10-01' });

  await session.end();

  expect(received.at(-1)).toEqual(message('X', Buffer.alloc(0)));
  expect(session.isLost).toBe(true);
});
