import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError, UsageError } from '../config/problems.ts';
import { folderProblem, readProblem } from '../lib/file-problem.ts';
import { makeFolder } from '../lib/make-folder.ts';
import { defaultParameters, type RuleParameters } from '../rules/parameters.ts';
import { readParameters } from '../rules/read-parameters.ts';
import { prometheusRule, ruleFile, wholeRuleFile } from '../rules/rule-files.ts';
import { ruleFileNames } from '../rules/template.ts';
import type { RulesFlags } from './flags.ts';
import type { Terminal } from './terminal.ts';

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
    makeFolder(output);
    for (const name of ruleFileNames) {
      writeFileSync(join(output, name), ruleFile(name, parameters));
    }
  } catch (error) {
    throw new UsageError(`cannot write to ${output}: ${folderProblem(output, error)}`);
  }
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
