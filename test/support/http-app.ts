import { gzipSync } from 'node:zlib';
import type { Exposed, MetricsSource } from '../../src/exposition/formats.ts';
import type { AccountStatus } from '../../src/http/ports.ts';
import { type AppOptions, createApp } from '../../src/http/server/create-app.ts';
import { VirtualClock } from './virtual-clock.ts';

/** The content of `metricsSource`. It has two chunks, so that a lost one is noticed. */
export const expositions = {
  text: ['# TYPE a gauge\n', 'a 1\n'],
  openmetrics: ['# TYPE a gauge\na 1\n', '# EOF\n'],
} as const;

const metricsSource: MetricsSource = {
  read: async (format, encoding) =>
    exposed(
      expositions[format].map((text) =>
        encoding === 'gzip' ? gzipSync(text) : new TextEncoder().encode(text),
      ),
    ),
};

export function exposed(chunks: readonly Uint8Array[]): Exposed {
  return { byteLength: chunks.reduce((sum, { length }) => sum + length, 0), chunks };
}

/** A source of `chunks` chunks of one MiB, which is more than the buffers between two sockets. */
export function largeSource(chunks: number): MetricsSource {
  const mebibyte = new Uint8Array(2 ** 20).fill(0x23);
  return { read: async () => exposed(Array.from({ length: chunks }, () => mebibyte)) };
}

interface TestAppOptions extends Partial<AppOptions> {
  readonly accounts?: readonly AccountStatus[];
}

export function testApp({ accounts = [], ...overrides }: TestAppOptions = {}) {
  return createApp({
    metrics: metricsSource,
    status: { accounts: () => accounts },
    health: { alive: () => true, unready: () => undefined },
    telemetryPath: '/metrics',
    maxRequests: 40,
    version: '1.2.3',
    clock: new VirtualClock(),
    ...overrides,
  });
}
