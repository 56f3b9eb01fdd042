import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { toolPath } from '../../support/tools.ts';

const run = promisify(execFile);

/** The server refuses to run as root; Debian's package has made the user. */
const isRoot = process.getuid?.() === 0;
const asPostgres = ['--reuid', 'postgres', '--regid', 'postgres', '--init-groups'];

/** Runs a program of a PostgreSQL server in a folder, as its user. Resolves with its output. */
export async function runPostgres(
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<string> {
  const path = toolPath(program === 'initdb' || program === 'pg_ctl' ? program : 'pg_dump').replace(
    /[^/]+$/,
    program,
  );
  const [command, ...rest] = isRoot ? ['setpriv', ...asPostgres, path] : [path];
  const { stdout } = await run(command ?? path, [...rest, ...args], { cwd });
  return stdout;
}

/** Makes the user of the server the owner of a file or folder. */
export async function giveToPostgres(path: string): Promise<void> {
  if (isRoot) await run('chown', ['postgres', path]);
}
