import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseDuration } from '../../config/fields.ts';
import { csvForms } from '../../http/common/csv.ts';
import { withExporterFlags } from '../../remote/exporter-flags.ts';
import type { Terminal } from '../../remote/terminal.ts';
import type { MonthsFlags } from './read-months.ts';
import type { ReportFlags, ReportTerminal } from './report.ts';

const daySeconds = 86_400;

function seconds(text: string): number {
  const wait = parseDuration(text);
  if (wait !== undefined && wait <= 7 * daySeconds) return wait;
  throw new InvalidArgumentError('allowed: up to 7d, written as 30m or 2h');
}

const repeatable = (text: string, former: readonly string[]) => [...former, text];

/** Adds the commands to the command line. Their modules are loaded when they run. */
export function addMonthsCommands(root: Command, terminal: ReportTerminal & Terminal): void {
  addReportCommand(root, terminal);
  withExporterFlags(root.command('months'))
    .description(
      'have a running exporter read what it did not watch, such as the months before the first day, for the report',
    )
    .option('--account <name>', 'account of the exporter; needed where it has several')
    .option(
      '--from <month>',
      'the first month, such as 2026-05; by default the oldest that is kept',
    )
    .option('--yes', 'begin; without it, only the price in requests is printed')
    .action(async (flags: MonthsFlags) => {
      const { readMonths } = await import('./read-months.ts');
      await readMonths(terminal, flags);
    });
}

function addReportCommand(root: Command, terminal: ReportTerminal): void {
  withExporterFlags(root.command('report'))
    .description('print the report of a month, from a running exporter')
    .option(
      '--month <month>',
      'such as 2026-10; by default the latest that has ended and is at least half known, else the present one',
    )
    .option('--from <month>', 'with --to: all months from this one on')
    .option('--to <month>', 'with --from: to this one')
    .option('--account <name>', 'only this account; repeatable', repeatable, [])
    .option('--group <name>', 'only checks of this group; repeatable', repeatable, [])
    .option(
      '--tag <name>',
      'only checks and transactions with this tag; repeatable',
      repeatable,
      [],
    )
    .option(
      '--check <text>',
      'only checks and transactions with this id, or this text in their names; repeatable',
      repeatable,
      [],
    )
    .addOption(
      new Option('--format <format>', 'how it is printed; html is for a mail, of at most 90 kB')
        .choices(['text', 'csv', 'json', 'html'])
        .default('text'),
    )
    .addOption(
      new Option(
        '--csv <form>',
        'separator and decimal sign of CSV: comma and point, or semicolon and comma',
      )
        .choices(csvForms)
        .default('comma'),
    )
    .option('--outages', 'only the outages, as CSV')
    .option('--whole', 'with --format=html all checks, and the outages, however large that is')
    .option(
      '--wait <duration>',
      'wait at most so long, such as 2h, until nothing that was asked for is awaited',
      seconds,
    )
    .action(async (flags: ReportFlags) => {
      const { printReport } = await import('./report.ts');
      await printReport(terminal, flags);
    });
}
