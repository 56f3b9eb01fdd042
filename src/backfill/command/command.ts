import type { Command } from 'commander';
import type { Terminal } from '../../remote/terminal.ts';
import { type BackfillFlags, withBackfillFlags } from './flags.ts';

/** Adds the command to the command line. Its modules are loaded when it runs. */
export function addBackfillCommand(root: Command, terminal: Terminal): void {
  withBackfillFlags(root.command('backfill'))
    .description('write the history before the first day for Prometheus, from a running exporter')
    .action(async (flags: BackfillFlags) => {
      const { backfill } = await import('./backfill.ts');
      await backfill(terminal, flags);
    });
}
