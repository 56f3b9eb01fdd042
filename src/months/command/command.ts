import { type Command, Option } from 'commander';
import { withExporterFlags } from '../../remote/exporter-flags.ts';
import type { ReportFlags, ReportTerminal } from './report.ts';

const repeatable = (text: string, former: readonly string[]) => [...former, text];

/** Adds the command to the command line. Its modules are loaded when it runs. */
export function addReportCommand(root: Command, terminal: ReportTerminal): void {
  withExporterFlags(root.command('report'))
    .description('print the report of a month, from a running exporter')
    .option(
      '--month <month>',
      'such as 2026-10; by default the last complete one, or the present one if none is known',
    )
    .option('--account <name>', 'only this account; repeatable', repeatable, [])
    .option('--group <name>', 'only checks of this group; repeatable', repeatable, [])
    .option(
      '--tag <name>',
      'only checks and transactions with this tag; repeatable',
      repeatable,
      [],
    )
    .addOption(
      new Option('--format <format>', 'how it is printed')
        .choices(['text', 'csv', 'json'])
        .default('text'),
    )
    .option('--outages', 'only the outages, as CSV')
    .action(async (flags: ReportFlags) => {
      const { printReport } = await import('./report.ts');
      await printReport(terminal, flags);
    });
}
