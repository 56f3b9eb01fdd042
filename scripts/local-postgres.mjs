import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
const asPostgres = ['--reuid', 'postgres', '--regid', 'postgres', '--init-groups'];
const debianFolder = '/usr/lib/postgresql';

/**
 * Returns the path of a program of PostgreSQL, or undefined. Debian keeps those of a server out of
 * the path.
 */
export function findProgram(name) {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : [];
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...newestFirst.map((version) => join(debianFolder, version, 'bin')),
  ];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/**
 * Starts a PostgreSQL server with the database `uptime` in a temporary folder. It listens on a UNIX
 * socket in that folder only, which nobody else can open.
 */
export async function startPostgres() {
  const folder = await mkdtemp(join(tmpdir(), 'uptime-replicas-'));
  const data = join(folder, 'data');
  try {
    // The server refuses to run as root.
    if (isRoot) await run('chown', ['postgres', folder]);
    await chmod(folder, 0o700);
    await program(folder, 'initdb', '-D', data, '-U', 'uptime', '-A', 'trust', '-E', 'UTF8');
    const settings = [
      "listen_addresses = ''",
      `unix_socket_directories = '${folder}'`,
      'max_connections = 60',
    ];
    const file = join(data, 'postgresql.auto.conf');
    await writeFile(file, `${settings.join('\n')}\n`, { mode: 0o600 });
    if (isRoot) await run('chown', ['postgres', file]);
    await program(folder, 'pg_ctl', 'start', '-w', '-D', data, '-l', join(folder, 'log'));
    await program(folder, 'createdb', '-h', folder, '-U', 'uptime', 'uptime');
  } catch (error) {
    await stop(folder);
    throw error;
  }
  return {
    url: `postgres://uptime@localhost/uptime?host=${folder}`,
    folder,
    stop: () => stop(folder),
  };
}

async function stop(folder) {
  await program(folder, 'pg_ctl', 'stop', '-D', join(folder, 'data'), '-m', 'fast').catch(() => {});
  await rm(folder, { recursive: true, force: true });
}

async function program(folder, name, ...args) {
  const path = findProgram(name);
  if (path === undefined) throw new Error(`PostgreSQL's ${name} is not installed`);
  const [command, ...rest] = isRoot ? ['setpriv', ...asPostgres, path] : [path];
  await run(command, [...rest, ...args], { cwd: folder });
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
