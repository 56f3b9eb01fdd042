import { execFile } from 'node:child_process';
import { UsageError } from '../../config/problems.ts';
import { codeOf } from '../../lib/error-text.ts';

/** Blocks of 6 hours: days are a multiple of it, and Prometheus merges the blocks later. */
export const createBlocks = ['tsdb', 'create-blocks-from', '--max-block-duration=6h'];

export interface BlockImport {
  readonly promtool: string;
  /** The folder of the blocks: the data folder of Prometheus, or one to copy there. */
  readonly blocks: string;
}

/** Makes blocks of an OpenMetrics file with `promtool`, or rejects with its message. */
export function importFile(file: string, { promtool, blocks }: BlockImport): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(
      promtool,
      [...createBlocks, '--quiet', 'openmetrics', file, blocks],
      (error, _out, stderr) => {
        if (error === null) resolve();
        else if (codeOf(error) === 'ENOENT') {
          const remedy = 'name the promtool of Prometheus with --promtool';
          reject(new UsageError(`there is no ${promtool}: ${remedy}, and run the command again`));
        } else {
          const reason = stderr.trim() === '' ? error.message : stderr.trim();
          reject(new UsageError(`${promtool} could not import ${file}: ${reason}`));
        }
      },
    );
  });
}
