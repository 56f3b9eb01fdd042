import { gunzipSync } from 'node:zlib';
import { ServedFamilies } from '../../../src/exposition/catalogue/served-families.ts';
import { Exposition } from '../../../src/exposition/exposition.ts';
import type { Exposed } from '../../../src/exposition/formats.ts';
import { ExporterMetrics } from '../../../src/exposition/self-metrics/exporter-metrics.ts';
import type { AccountSnapshot } from '../../../src/state/snapshot.ts';
import { VirtualClock, wholeSecond } from '../../support/virtual-clock.ts';
import { aRenderer } from './rendering.ts';
import { aView } from './snapshots.ts';

/** An exposition of these accounts and their own metrics. */
export function anExposition(snapshots: readonly AccountSnapshot[]): Exposition {
  const metrics = new ExporterMetrics({
    build: { version: '1.2.3', revision: 'abc' },
    accounts: () => snapshots.map(aView),
    clock: new VirtualClock(wholeSecond),
    served: ServedFamilies.full,
  });
  return new Exposition({ renderer: aRenderer(), metrics });
}

/** All bytes. Fails if their number differs from the announced one. */
async function bytesOf({ byteLength, chunks }: Exposed): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  const bytes = Buffer.concat(parts);
  if (bytes.length !== byteLength) throw new Error(`${bytes.length} bytes, not ${byteLength}`);
  return bytes;
}

/** The text, compressed or not. */
export async function textOf(exposed: Exposed): Promise<string> {
  const bytes = await bytesOf(exposed);
  return (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString();
}
