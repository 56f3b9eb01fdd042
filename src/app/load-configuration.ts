import { readFileSync, type Stats, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Configuration } from '../config/configuration.ts';
import {
  accountFromEnvironment,
  type Environment,
  environmentProxy,
  unknownVariableProblems,
  variablesSet,
} from '../config/environment.ts';
import { defaultLinks } from '../config/links.ts';
import { readConfiguration } from '../config/load.ts';
import { ConfigurationError, UsageError } from '../config/problems.ts';
import { ForbiddenFileError, readErrorCode } from '../config/raw.ts';
import { LabelPolicy } from '../exposition/labels/label-policy.ts';
import { listenAddressProblem } from '../http/server/listen-address.ts';
import { defaultSloPolicy } from '../windows/groups.ts';

/** The text of a file; throws when it cannot be read. */
export type ReadText = (path: string) => string;

/** Reads the file, or without one the environment. Throws a `UsageError` that lists every problem. */
export function loadConfiguration(
  env: Environment,
  file: string | undefined,
  readText: ReadText = readTextFile,
): Configuration {
  if (file === undefined) {
    const account = accountFromEnvironment(env, {
      readFile: readText,
      resolvePath: (path) => resolve(path),
    });
    const { name, baseUrl: base_url, version } = account;
    return {
      serving: {},
      labels: new LabelPolicy({}),
      slo: defaultSloPolicy(),
      links: defaultLinks,
      accounts: [account],
      shown: { accounts: [{ name, base_url, version }] },
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
  return loadConfigurationFile(env, file, readText);
}

/** Reads the file; the environment may describe an account too. Throws a `UsageError`. */
export function loadConfigurationFile(
  env: Environment,
  file: string,
  readText: ReadText = readTextFile,
): Configuration {
  const text = readConfigurationText(file, readText);
  try {
    return readConfiguration(file, text, {
      readFile: readText,
      resolvePath: (path) => resolve(dirname(file), path),
      proxyFor: (baseUrl) => environmentProxy(env, baseUrl),
      listenAddressProblem,
    });
  } catch (error) {
    if (error instanceof ConfigurationError) throw new UsageError(error.message);
    throw error;
  }
}

function readConfigurationText(file: string, readText: ReadText): string {
  try {
    return readText(file);
  } catch (error) {
    throw new UsageError(`cannot read the configuration ${file} (${readErrorCode(error)})`);
  }
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** The text of a file. Throws a `ForbiddenFileError` when it is there, but not for this user. */
export function readTextFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EACCES')) throw error;
    throw new ForbiddenFileError(forbidden(path, statOf(path), currentUser()), { cause: error });
  }
}

/** Names the path: it exists, so it is not a secret that was put in its place. */
export function forbidden(
  path: string,
  file: Pick<Stats, 'uid' | 'gid' | 'mode'> | undefined,
  { uid, gid }: User,
): string {
  const reader = `the exporter runs as uid ${uid}, gid ${gid}`;
  if (file === undefined) return `EACCES: a folder on the way to ${path} is closed; ${reader}`;
  const mode = (file.mode & 0o7777).toString(8).padStart(4, '0');
  const remedy = `give it to that user (chown ${uid} ${path}) or let the group read it (chgrp ${gid} and chmod g+r)`;
  return `EACCES: ${path} belongs to uid ${file.uid}, gid ${file.gid} with mode ${mode}, and ${reader}; ${remedy}`;
}

/** A container's user often has no name, without which `userInfo` fails; its process folder is its own. */
function currentUser(): User {
  try {
    return userInfo();
  } catch {
    return statSync('/proc/self');
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
