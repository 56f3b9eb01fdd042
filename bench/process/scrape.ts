import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true });

export type Encoding = 'gzip' | 'identity';

/** Reads a page without keeping it. Returns its status, its bytes and the milliseconds. */
export function scrape(
  port: number,
  encoding: Encoding,
  keep?: (chunk: Buffer) => void,
  query = '',
): Promise<{ status: number; bytes: number; milliseconds: number }> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': encoding };
    request({ port, host: '127.0.0.1', path: `/metrics${query}`, agent, headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        keep?.(chunk);
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          bytes,
          milliseconds: performance.now() - start,
        }),
      );
    })
      .on('error', reject)
      .end();
  });
}
