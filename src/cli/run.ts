import { Command, CommanderError } from 'commander';
import { packageVersion } from '../app/version.ts';
import { environmentVariables } from '../config/environment/variables.ts';
import { UsageError } from '../config/usage-error.ts';
import { ListenError } from '../http/server/listen-address.ts';
import { checkConfig } from './check-config.ts';
import { demo } from './demo.ts';
import {
  readServeFlags,
  readServingFlags,
  withPlanFlags,
  withServeFlags,
  withServingFlags,
} from './flags.ts';
import { printMetrics } from './metrics.ts';
import { type PlanFlags, printPlan } from './plan.ts';
import { printRules, type RulesFlags, withRulesFlags } from './rules.ts';
import { sandbox } from './sandbox.ts';
import {
  type AccountFlags,
  type SandboxFlags,
  withAccountFlags,
  withSandboxFlags,
} from './sandbox-flags.ts';
import { serve } from './serve.ts';
import type { Terminal } from './terminal.ts';

/** A demo should show every dataset soon; these are the limits of a large plan. */
const demoLimits = { short: 11_600, long: 2_088_000 };

/** Runs the command line and resolves with the exit code. */
export async function run(terminal: Terminal): Promise<number> {
  try {
    await program(terminal).parseAsync(terminal.argv, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    if (error instanceof UsageError || error instanceof ListenError) {
      terminal.stderr.write(`${error.message}\n`);
      return 1;
    }
    throw error;
  }
}

function program(terminal: Terminal): Command {
  const root = new Command('uptime-exporter')
    .description(
      'Prometheus exporter for website-monitoring accounts that lives within the rate budget of their API.',
    )
    .version(packageVersion(), '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .helpCommand(false)
    .exitOverride()
    .hook('preAction', (_root, command) => {
      if (command.name() !== 'serve') terminal.sighup.restoreDefault();
    })
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    });

  withServeFlags(root.command('serve', { isDefault: true }))
    .description('poll accounts and serve their metrics (default)')
    .addHelpText('after', environmentHelp())
    .allowExcessArguments()
    .action((_flags, command: Command) => {
      const [stray] = command.args;
      if (stray !== undefined) {
        throw new UsageError(`unknown command "${stray}"; see uptime-exporter --help`);
      }
      return serve(terminal, readServeFlags(command));
    });

  withServingFlags(withAccountFlags(root.command('demo'), demoLimits))
    .description('the exporter and a simulated account in one process')
    .action((flags: AccountFlags, command: Command) =>
      demo(terminal, readServingFlags(command), flags),
    );

  withSandboxFlags(root.command('sandbox'))
    .description('the simulated monitoring service alone, on this machine')
    .action((flags: SandboxFlags) => sandbox(terminal, flags));

  withPlanFlags(root.command('plan'))
    .description('print what the request budget buys, for an account or for given numbers')
    .action((flags: PlanFlags) => printPlan(terminal, flags));

  withRulesFlags(root.command('rules'))
    .description('print alerting rules for your job, links and thresholds')
    .action((flags: RulesFlags) => printRules(terminal, flags));

  root
    .command('check-config')
    .argument('<file>')
    .description('tell whether a configuration file is right, or every problem of it')
    .action((file: string) => checkConfig(terminal, file));

  root
    .command('metrics')
    .description('print the catalogue of metrics as Markdown')
    .action(() => printMetrics(terminal));

  return root;
}

function environmentHelp(): string {
  const rows = Object.entries(environmentVariables);
  const width = Math.max(...rows.map(([name]) => name.length));
  return `\nOne account needs no file, but these variables:\n${rows.map(([name, help]) => `  ${name.padEnd(width)}  ${help}`).join('\n')}`;
}
