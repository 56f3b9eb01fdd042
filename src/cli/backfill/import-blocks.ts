import { execFile } from 'node:child_process';
import { UsageError } from '../../config/problems.ts';

/** Days divide into blocks of this length, which Prometheus joins later. */
const blockDuration = '6h';

export interface BlockImport {
  readonly promtool: string;
  /** The folder of the blocks: that of Prometheus, or another to be copied there. */
  readonly blocks: string;
}

/** Makes blocks of an OpenMetrics file with `promtool`. Rejects with a `UsageError` that has its message. */
export function importFile(file: string, { promtool, blocks }: BlockImport): Promise<void> {
  const command = ['tsdb', 'create-blocks-from', `--max-block-duration=${blockDuration}`];
  return new Promise((resolve, reject) => {
    execFile(
      promtool,
      [...command, '--quiet', 'openmetrics', file, blocks],
      (error, _out, stderr) => {
        if (error === null) resolve();
        else {
          const reason = stderr.trim() === '' ? error.message : stderr.trim();
          reject(new UsageError(`${promtool} could not import ${file}: ${reason}`));
        }
      },
    );
  });
}
