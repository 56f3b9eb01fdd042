import { readFileSync } from 'node:fs';
import { ConfigurationError, UsageError } from '../config/problems.ts';
import { readProblem } from '../lib/file-problem.ts';
import { defaultParameters, type RuleParameters } from '../rules/parameters.ts';
import { readParameters } from '../rules/read-parameters.ts';
import { prometheusRule, ruleFile } from '../rules/rule-files.ts';
import type { RulesFlags } from './flags.ts';
import type { Terminal } from './terminal.ts';

export function printRules(terminal: Terminal, flags: RulesFlags): void {
  const { format, timeDivisor, with: sets } = flags;
  const read = parametersOf(flags);
  const parameters = { ...read, timeDivisor, with: [...new Set([...read.with, ...sets])] };
  const print = format === 'plain' ? ruleFile : prometheusRule;
  terminal.stdout.write(print(parameters));
}

function parametersOf({ config }: RulesFlags): RuleParameters {
  if (config === undefined) return defaultParameters;
  let text: string;
  try {
    text = readFileSync(config, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read ${config}: ${readProblem(config, error)}`);
  }
  try {
    return readParameters(config, text);
  } catch (error) {
    if (error instanceof ConfigurationError) throw new UsageError(error.message);
    throw error;
  }
}
