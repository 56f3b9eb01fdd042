import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Answers every request with the bytes of a file, which is the lowest possible cost of a scrape.
 * Usage: bytes-server.js FILE
 */
const bytes = readFileSync(process.argv[2] ?? '');
const server = createServer((_request, response) => {
  response.writeHead(200, {
    'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
    'Content-Encoding': 'gzip',
    'Content-Length': bytes.length,
  });
  response.end(bytes);
}).listen(0, '127.0.0.1');

await once(server, 'listening');
process.send?.({ port: (server.address() as AddressInfo).port });
process.channel?.unref();
