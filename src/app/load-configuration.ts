import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Configuration } from '../config/configuration.ts';
import {
  accountFromEnvironment,
  type Environment,
  environmentProxy,
  linksFromEnvironment,
  unknownVariableProblems,
  variablesSet,
} from '../config/environment.ts';
import { readConfiguration } from '../config/load.ts';
import { ConfigurationError, UsageError } from '../config/problems.ts';
import type { ReadText } from '../config/raw.ts';
import { ServedFamilies } from '../exposition/catalogue/served-families.ts';
import { LabelPolicy } from '../exposition/labels/label-policy.ts';
import { listenAddressProblem } from '../http/server/listen-address.ts';
import { readProblem } from '../lib/file-problem.ts';
import { present } from '../lib/present.ts';
import { shownAddress } from '../lib/shown-address.ts';
import { defaultSloPolicy } from '../slo/groups.ts';

/** Reads the file or, without one, the environment. Throws a `UsageError` with all problems. */
export function loadConfiguration(
  env: Environment,
  file: string | undefined,
  readText: ReadText = readTextFile,
): Configuration {
  if (file === undefined) {
    const account = accountFromEnvironment(env, {
      readText,
      resolvePath: (path) => resolve(path),
    });
    const { name, baseUrl, version } = account;
    return {
      serving: {},
      labels: new LabelPolicy({}),
      served: ServedFamilies.lean,
      slo: defaultSloPolicy(),
      links: linksFromEnvironment(env),
      accounts: [account],
      shown: { accounts: [{ name, base_url: shownAddress(baseUrl), version }] },
    };
  }
  const set = variablesSet(env);
  if (set.length > 0) {
    throw new UsageError(
      `Accounts come from a file or from the environment, not from both: unset ${set.join(', ')}, or leave out --config.file.`,
    );
  }
  const unknown = unknownVariableProblems(env);
  if (unknown.length > 0) throw new UsageError(unknown.join('\n'));
  const configuration = loadConfigurationFile(env, file, { readText });
  return { ...configuration, links: { ...linksFromEnvironment(env), ...configuration.links } };
}

interface FileOptions {
  readonly readText: ReadText;
  /** Whether the files of secrets and certificates are read; true by default. */
  readonly secrets?: boolean;
}

/** Reads the file. Ignores variables that describe an account. Throws a `UsageError`. */
export function loadConfigurationFile(
  env: Environment,
  file: string,
  { readText, secrets = true }: FileOptions,
): Configuration {
  const text = readConfigurationText(file, readText);
  try {
    const configuration = readConfiguration(file, text, {
      readText: secrets ? readText : undefined,
      resolvePath: (path) => resolve(dirname(file), path),
      proxyFor: (baseUrl) => environmentProxy(env, baseUrl),
      listenAddressProblem,
    });
    return { ...configuration, ...present({ changedAtSeconds: changedAtSeconds(file) }) };
  } catch (error) {
    if (error instanceof ConfigurationError) throw new UsageError(error.message);
    throw error;
  }
}

/** Undefined for a file that no longer exists. */
function changedAtSeconds(file: string): number | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats && Math.floor(stats.mtimeMs / 1000);
}

function readConfigurationText(file: string, readText: ReadText): string {
  try {
    return readText(file);
  } catch (error) {
    throw new UsageError(`cannot read the configuration ${file}: ${readProblem(file, error)}`);
  }
}

/** Reads the text of a file; throws the system's error. */
export function readTextFile(path: string): string {
  return readFileSync(path, 'utf8');
}
