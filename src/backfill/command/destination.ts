import type { TimeRange } from '../../domain/interval.ts';
import { plural } from '../../lib/format-number.ts';
import type { PastFamily } from '../series/past-series.ts';
import { formatBytes } from './estimate.ts';
import { type BlockImport, createBlocks, importFile } from './import-blocks.ts';
import { type LabelledPast, openMetricsOf } from './open-metrics.ts';
import type { HistoryManifest, OutputFolder } from './output-folder.ts';
import type { RemoteWrite } from './remote-write.ts';
import { writeRequestsOf } from './write-requests.ts';

/** The target of the samples. */
export type Destination =
  | { readonly kind: 'files' }
  | { readonly kind: 'blocks'; readonly blockImport: BlockImport }
  | { readonly kind: 'remote'; readonly url: string; readonly remoteWrite: RemoteWrite };

/** The stored name of a destination. A day is written to one destination only. */
export function destinationText(destination: Destination): string {
  if (destination.kind === 'blocks') return `blocks in ${destination.blockImport.blocks}`;
  return destination.kind === 'remote' ? `remote write to ${destination.url}` : 'files';
}

/** The kind of a destination by its stored name. */
export function destinationKind(text: string): Destination['kind'] {
  if (text.startsWith('blocks in ')) return 'blocks';
  return text.startsWith('remote write to ') ? 'remote' : 'files';
}

interface DayWriterOptions {
  readonly destination: Destination;
  readonly folder: OutputFolder;
  readonly families: readonly PastFamily[];
  readonly pasts: readonly LabelledPast[];
  readonly manifest: HistoryManifest;
  readonly signal: AbortSignal;
}

/** Returns a function that writes one day, repeatably, and resolves with its bytes. */
export function dayWriter(options: DayWriterOptions) {
  const { destination, folder, families, pasts, signal } = options;
  const { fineFromSeconds } = options.manifest;
  return async (day: string, within: TimeRange): Promise<number> => {
    const samples = { families, pasts, within, fineFromSeconds };
    if (destination.kind === 'remote') {
      let bytes = 0;
      for (const request of writeRequestsOf(samples)) {
        signal.throwIfAborted();
        await destination.remoteWrite.send(request);
        bytes += request.byteLength;
      }
      return bytes;
    }
    const file = `${day}.om`;
    const bytes = await folder.write(file, openMetricsOf(samples));
    if (destination.kind === 'blocks' && bytes > 0) {
      await importFile(folder.pathOf(file), destination.blockImport);
      await folder.remove(file);
    }
    return bytes;
  };
}

/** The result, and the next step for the user. */
export function summaryOf(
  destination: Destination,
  {
    bytes,
    items,
    output,
  }: { readonly bytes: number; readonly items: number; readonly output: string },
): string {
  const text = `${formatBytes(bytes)} for ${plural(items, 'check or transaction', 'checks and transactions')}`;
  const check = `uptime-exporter backfill --verify --output ${output} --prometheus URL`;
  if (destination.kind === 'files') {
    return `Wrote ${text} to ${output}. Import each file with: promtool ${createBlocks.join(' ')} openmetrics FILE DATA_FOLDER\nThen check the result with: ${check}`;
  }
  return destination.kind === 'remote'
    ? `Sent ${text} to ${destination.url}.`
    : `Imported ${text} into ${destination.blockImport.blocks}. Prometheus finds the blocks within a minute. Then check the result with: ${check}`;
}
