import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ConfigurationError } from '../config/problems/problem.ts';
import { UsageError } from '../config/usage-error.ts';
import { defaultParameters, type RuleParameters } from '../rules/parameters.ts';
import { readParameters } from '../rules/read-parameters.ts';
import { prometheusRule, ruleFile, wholeRuleFile } from '../rules/rule-files.ts';
import { ruleFileNames } from '../rules/rule-groups.ts';
import type { Terminal } from './terminal.ts';

export interface RulesFlags {
  readonly config?: string;
  readonly format: 'plain' | 'prometheusrule';
  readonly output?: string;
  readonly timeDivisor: number;
}

export function withRulesFlags(command: Command): Command {
  return command
    .option('--config <file>', 'job, links, thresholds, severities and waits, as YAML')
    .addOption(
      new Option('--format <format>', 'a rule file, or an object of the Prometheus operator')
        .choices(['plain', 'prometheusrule'])
        .default('plain'),
    )
    .option(
      '--output <folder>',
      `write ${ruleFileNames.join(', ')} there instead of printing one file`,
    )
    .option(
      '--time-divisor <n>',
      'divide every duration, to try the alerts with a service whose time runs faster',
      divisor,
      1,
    );
}

export function printRules(terminal: Terminal, flags: RulesFlags): void {
  const { format, output, timeDivisor } = flags;
  const parameters = { ...parametersOf(flags), timeDivisor };
  if (output === undefined) {
    const print = format === 'plain' ? wholeRuleFile : prometheusRule;
    terminal.stdout.write(print(parameters));
    return;
  }
  if (format !== 'plain') throw new UsageError('--output writes plain rule files only');
  try {
    mkdirSync(output, { recursive: true });
    for (const name of ruleFileNames) {
      writeFileSync(join(output, name), ruleFile(name, parameters));
    }
  } catch (error) {
    throw new UsageError(`cannot write to ${output}: ${(error as Error).message}`);
  }
}

function parametersOf({ config }: RulesFlags): RuleParameters {
  if (config === undefined) return defaultParameters;
  let text: string;
  try {
    text = readFileSync(config, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read ${config}: ${(error as Error).message}`);
  }
  try {
    return readParameters(config, text);
  } catch (error) {
    if (error instanceof ConfigurationError) throw new UsageError(error.message);
    throw error;
  }
}

function divisor(text: string): number {
  const value = Number(text);
  if (!(value >= 1 && value <= 1000)) throw new InvalidArgumentError('allowed: 1 to 1000');
  return value;
}
