import type { Command } from 'commander';
import { integerBetween } from '../../lib/integer-between.ts';
import {
  authFileHelp,
  type ExporterFlags,
  withExporterFlags,
} from '../../remote/exporter-flags.ts';

export interface BackfillFlags extends ExporterFlags {
  readonly account?: string;
  /** Optional for verification. */
  readonly from?: string;
  readonly to?: string;
  readonly responseTimes?: boolean;
  readonly output?: string;
  readonly plan?: boolean;
  readonly verify?: boolean;
  readonly prometheus?: string;
  readonly prometheusAuthFile?: string;
  readonly label: readonly string[];
  readonly only: readonly number[];
  readonly blocks?: string;
  readonly promtool: string;
  readonly remoteWrite?: string;
  readonly remoteWriteAuthFile?: string;
}

export function withBackfillFlags(command: Command): Command {
  const readId = integerBetween(1);
  return withExporterFlags(command)
    .option('--account <name>', 'account of the exporter; needed where it has several')
    .option('--from <date>', 'beginning of the history, such as 2025-11-01')
    .option('--to <date>', 'end of the history; by default the first sight of each check')
    .option(
      '--response-times',
      'also the average response times of checks by the hour; one more request per check and 30 days',
    )
    .option('--plan', 'only print what the history costs')
    .option(
      '--verify',
      'only compare the history in --output with what --prometheus has, and print what differs',
    )
    .option('--output <folder>', 'write one OpenMetrics file for each day there')
    .option(
      '--prometheus <url>',
      'Prometheus that the history is for: it is asked for labels and older samples',
    )
    .option('--prometheus-auth-file <file>', authFileHelp('it'))
    .option(
      '--label <name=value>',
      'label that the scrape adds, such as job=uptime; repeatable',
      (text, former: readonly string[]) => [...former, text],
      [],
    )
    .option(
      '--only <id>',
      'only this check or transaction; repeatable',
      (text, former: readonly number[]) => [...former, readId(text)],
      [],
    )
    .option(
      '--blocks <folder>',
      'make blocks there, such as in the data folder of Prometheus, and delete each file afterwards',
    )
    .option('--promtool <path>', 'the promtool that makes the blocks', 'promtool')
    .option(
      '--remote-write <url>',
      'send the samples to a server that takes old ones, such as http://localhost:8428/api/v1/write; --output keeps the progress',
    )
    .option('--remote-write-auth-file <file>', authFileHelp('it'));
}
