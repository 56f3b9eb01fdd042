import { Command, CommanderError, Help } from 'commander';
import { buildOf, versionText } from '../app/version.ts';
import { addBackfillCommand } from '../backfill/command/command.ts';
import { accountVariables, otherVariables } from '../config/environment.ts';
import { UsageError } from '../config/problems.ts';
import { ListenError } from '../http/server/listen-address.ts';
import { didYouMean } from '../lib/nearest-word.ts';
import { addMonthsCommands } from '../months/command/command.ts';
import { type AccountFlags, withAccountFlags } from './account-flags.ts';
import { flagProblem, isPath } from './flag-problem.ts';
import {
  type CheckConfigFlags,
  type RulesFlags,
  readServeFlags,
  readServingFlags,
  withCheckConfigFlags,
  withPlanFlags,
  withRulesFlags,
  withServeFlags,
  withServingFlags,
} from './flags.ts';
import type { PlanFlags } from './plan.ts';
import type { SandboxFlags } from './sandbox-flags.ts';
import type { Terminal } from './terminal.ts';

/** Runs the command line and resolves with the exit code. */
export async function run(terminal: Terminal): Promise<number> {
  const root = program(terminal);
  try {
    await root.parseAsync(terminal.argv, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode !== 0)
        terminal.stderr.write(`${flagProblem(root, terminal.argv, error)}\n`);
      return error.exitCode;
    }
    if (error instanceof UsageError || error instanceof ListenError) {
      terminal.stderr.write(`${error.message}\n`);
      return error instanceof UsageError ? error.exitCode : 1;
    }
    throw error;
  }
}

/** The module of a command is loaded when the command runs, so `--help` loads none. */
function program(terminal: Terminal): Command {
  const root = new Command('uptime-exporter')
    .description(
      'Prometheus exporter for website-monitoring accounts that stays within the request budget of their API.',
    )
    .version(versionText(buildOf(terminal.env), process), '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .exitOverride()
    // These flags need the modules of the sandbox.
    .hook('preSubcommand', async (_root, command) => {
      if (command !== sandboxCommand) return;
      const { withSandboxFlags } = await import('./sandbox-flags.ts');
      withSandboxFlags(command);
    })
    .hook('preAction', (_root, command) => {
      if (!['serve', 'demo'].includes(command.name())) terminal.sighup.restoreDefault();
      // The other commands end soon, or have an account of any size.
      if (command.name() !== 'serve') terminal.workload?.showing(Number.POSITIVE_INFINITY);
    })
    .configureHelp({
      // A repeatable flag without a value is an empty list.
      optionDescription: (option) =>
        Help.prototype.optionDescription(option).replace(' (default: [])', ''),
    })
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      // `run` writes the errors, with suggestions.
      outputError: () => undefined,
    });

  withServeFlags(root.command('serve', { isDefault: true }))
    .description('poll accounts and serve their metrics (default)')
    .addHelpText('after', environmentHelp())
    .allowExcessArguments()
    .action(async (_flags, command: Command) => {
      const [stray] = command.args;
      if (stray !== undefined) {
        const names = root.commands.map((one) => one.name());
        if (names.includes(stray)) {
          throw new UsageError(`the command comes before its flags: uptime-exporter ${stray} …`);
        }
        const hint =
          didYouMean(stray, names) ||
          (isPath(stray) ? `; for a file: --config.file=${stray}` : '; see uptime-exporter --help');
        throw new UsageError(`unknown command "${stray}"${hint}`);
      }
      const { serve } = await import('./serve.ts');
      await serve(terminal, readServeFlags(command));
    });

  withServingFlags(withAccountFlags(root.command('demo')))
    .description('run the exporter with a simulated account in one process')
    .action(async (flags: AccountFlags, command: Command) => {
      const { demo } = await import('./demo.ts');
      await demo(terminal, readServingFlags(command), flags);
    });

  const sandboxCommand = root
    .command('sandbox')
    .description('run the simulated monitoring service on the loopback address')
    .action(async (flags: SandboxFlags) => {
      const { sandbox } = await import('./sandbox.ts');
      await sandbox(terminal, flags);
    });

  withPlanFlags(root.command('plan'))
    .description(
      'print how often each dataset can be refreshed, for an account or for given numbers',
    )
    .action(async (flags: PlanFlags) => {
      const { printPlan } = await import('./plan.ts');
      await printPlan(terminal, flags);
    });

  withRulesFlags(root.command('rules'))
    .description('print alerting rules for your job, links and thresholds')
    .action(async (flags: RulesFlags) => {
      const { printRules } = await import('./rules.ts');
      printRules(terminal, flags);
    });

  addBackfillCommand(root, terminal);
  addMonthsCommands(root, terminal);

  withCheckConfigFlags(root.command('check-config'))
    .description('validate a configuration file and report every problem')
    .action(async (file: string, flags: CheckConfigFlags) => {
      const { checkConfig } = await import('./check-config.ts');
      checkConfig(terminal, file, flags);
    });

  root
    .command('metrics')
    .description('print the catalogue of metrics as Markdown')
    .action(async () => {
      const { printMetrics } = await import('./metrics.ts');
      printMetrics(terminal);
    });

  return root;
}

function environmentHelp(): string {
  const ofAccount = Object.entries(accountVariables).map(
    ([name, { help }]) => [name, help] as const,
  );
  const rows = [...ofAccount, ...Object.entries(otherVariables)];
  const width = Math.max(...rows.map(([name]) => name.length));
  return `\nA single account can be configured with these variables instead of a file:\n${rows.map(([name, help]) => `  ${name.padEnd(width)}  ${help}`).join('\n')}`;
}
