import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findProgram, startPostgres } from './local-postgres.mjs';

// Starts three exporters over one PostgreSQL database, with an account of the sandbox for each name
// below, kills one exporter and starts it again, and prints who owns which account meanwhile.
//
//   npm run demo:replicas             goes on until Ctrl+C
//   npm run demo:replicas -- --once   ends after that
//
// UPTIME_DEMO_DATABASE_URL names an empty database of yours, UPTIME_DEMO_DATABASE_PASSWORD_FILE the
// file with its password. Otherwise a server is started in a temporary folder.

const main = join(import.meta.dirname, '..', 'dist', 'main.js');
const accounts = ['books', 'games', 'garden', 'music', 'shoes', 'toys'];
const replicas = ['replica-a', 'replica-b', 'replica-c'];
const firstPort = 9158;
const ttlSeconds = 6;
const patienceSeconds = 180;
const begin = performance.now();
const children = new Set();
const stopping = new AbortController();

const { values: flags } = parseArgs({ options: { once: { type: 'boolean', default: false } } });

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stopping.abort());

const postgresUrl = process.env.UPTIME_DEMO_DATABASE_URL;
if (postgresUrl === undefined && findProgram('initdb') === undefined) {
  process.stderr.write(`PostgreSQL is not installed on this machine. Install Debian's package

  sudo apt install postgresql

or start a container and name its database:

  docker run --rm -d -p 127.0.0.1:5432:5432 -e POSTGRES_USER=uptime -e POSTGRES_PASSWORD=uptime postgres:17
  echo uptime > /tmp/uptime-password
  export UPTIME_DEMO_DATABASE_URL=postgres://uptime@127.0.0.1:5432/uptime
  export UPTIME_DEMO_DATABASE_PASSWORD_FILE=/tmp/uptime-password
  npm run demo:replicas
`);
  process.exit(1);
}

let folder;
let database;
try {
  await demo();
} catch (error) {
  if (!stopping.signal.aborted) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
} finally {
  await end();
}

async function demo() {
  folder = await mkdtemp(join(tmpdir(), 'uptime-demo-'));
  say('Starting PostgreSQL, the simulated service and three exporters …');
  database = postgresUrl === undefined ? await startPostgres() : { url: postgresUrl };
  const config = await configuration();
  const fleet = [];
  let port = firstPort;
  for (const name of replicas) {
    port = await freePort(port);
    fleet.push(replica(name, port, config));
    port += 1;
  }
  for (const one of fleet) one.start();
  const watch = watching(fleet);

  await watch.until(isShared(3), 'each exporter owns two accounts');
  say('Each exporter owns two accounts: it alone polls and serves them.');
  watch.table();
  await pause(3);

  const victim = fleet[1];
  say(`kill -9 ${victim.name} (process ${victim.pid})`);
  const killed = performance.now();
  await victim.kill();
  await watch.until(isShared(2), 'the others own all accounts');
  say(`The others own its accounts after ${seconds(performance.now() - killed)}.`);
  say(`They wait ${ttlSeconds} s and a sixth: until then it might only be slow.`, true);
  watch.table();
  await pause(3);

  say(`${victim.name} starts again.`);
  const started = performance.now();
  victim.start();
  await watch.until(isShared(3), 'each exporter owns two accounts again');
  say(`Each exporter owns two accounts again after ${seconds(performance.now() - started)}.`);
  say(`The number of exporters must be the same for ${2 * ttlSeconds} s first.`, true);
  watch.table();
  if (flags.once) return;

  say('Open the pages, or kill an exporter yourself. Ctrl+C ends everything.');
  for (;;) {
    await watch.look();
    await pause(0.5);
  }
}

/** Starts a simulated service for each account, and returns the path of the configuration. */
async function configuration() {
  const entries = await Promise.all(
    accounts.map(async (name, at) => {
      const token = `demo-token-of-${name}`;
      const sandbox = start(
        [
          ...['sandbox', '--port=0', `--token=${token}`, `--seed=${at + 1}`],
          ...['--checks=12', '--transactions=1', '--short-limit=4000', '--long-limit=720000'],
        ],
        `sandbox-${name}`,
      );
      const address = await sandbox.until(/http:\/\/127\.0\.0\.1:\d+/);
      return { name, base_url: address, token };
    }),
  );
  const path = join(folder, 'uptime.yaml');
  await writeFile(path, JSON.stringify({ accounts: entries }), { mode: 0o600 });
  return path;
}

function replica(name, port, config) {
  const url = `http://localhost:${port}/`;
  const password = process.env.UPTIME_DEMO_DATABASE_PASSWORD_FILE;
  const args = [
    'serve',
    `--config.file=${config}`,
    `--storage.url=${database.url}`,
    ...(password === undefined ? [] : [`--storage.password-file=${password}`]),
    `--storage.lease-ttl=${ttlSeconds}s`,
    `--web.listen-address=127.0.0.1:${port}`,
    `--web.external-url=${url}`,
  ];
  let child;
  return {
    name,
    url,
    get pid() {
      return child?.process.exitCode === null && child.process.signalCode === null
        ? child.process.pid
        : undefined;
    },
    start() {
      child = start(args, name);
    },
    async kill() {
      child.process.kill('SIGKILL');
      await child.ended;
    },
    /** The accounts that it serves; none if it does not answer. */
    async owned() {
      try {
        const response = await fetch(`http://127.0.0.1:${port}/metrics`, {
          signal: AbortSignal.timeout(2_000),
        });
        const page = await response.text();
        const held = page.matchAll(/^uptime_exporter_lease_held\{account="([^"]+)"\} 1$/gm);
        return [...held].map(([, account]) => account);
      } catch {
        return [];
      }
    },
  };
}

/** Looks who owns which account, and prints each change. */
function watching(fleet) {
  const owners = new Map();
  const lastOwners = new Map();
  const look = async () => {
    const owned = await Promise.all(fleet.map((one) => one.owned()));
    owners.clear();
    for (const [at, names] of owned.entries()) {
      for (const account of names) owners.set(account, fleet[at].name);
    }
    for (const [account, owner] of owners) {
      const last = lastOwners.get(account);
      if (owner === last) continue;
      lastOwners.set(account, owner);
      say(`  ${account.padEnd(8)}${last === undefined ? '' : `${last} `}→ ${owner}`);
    }
  };
  const counts = () =>
    fleet.map(({ name }) => [...owners.values()].filter((owner) => owner === name).length);
  return {
    look,
    async until(isReached, what) {
      const last = performance.now() + patienceSeconds * 1000;
      for (;;) {
        await look();
        if (isReached(counts())) return;
        if (performance.now() > last) {
          throw new Error(`After ${patienceSeconds} s it is not true that ${what}.`);
        }
        await pause(0.2);
      }
    },
    table() {
      const rows = fleet.map((one) => {
        const own = accounts.filter((account) => owners.get(account) === one.name);
        const process = one.pid === undefined ? 'killed' : `process ${one.pid}`;
        return `  ${one.name}  ${one.url}  ${process.padEnd(16)}${own.join(', ') || '–'}`;
      });
      print(`\n${rows.join('\n')}\n\n`);
    },
  };
}

/** Whether so many replicas share all accounts evenly. */
function isShared(count) {
  return (counts) =>
    counts.filter((own) => own > 0).length === count &&
    counts.every((own) => own <= Math.ceil(accounts.length / count)) &&
    counts.reduce((sum, own) => sum + own, 0) === accounts.length;
}

/** Starts a command of the exporter. Its log is a file in the folder of the demo. */
function start(args, name) {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const ended = once(child, 'close');
  const one = {
    process: child,
    ended,
    async until(pattern) {
      for (;;) {
        const [found] = pattern.exec(output) ?? [];
        if (found !== undefined) return found;
        if (child.exitCode !== null) throw new Error(`${name} has ended:\n${output}`);
        await pause(0.05);
      }
    },
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-4_000);
    });
  }
  children.add(one);
  void ended.then(([code]) => {
    children.delete(one);
    if (code !== null && code !== 0 && !stopping.signal.aborted) {
      process.stderr.write(`${name} has ended:\n${output}\n`);
    }
  });
  return one;
}

/** The first port from this one on that nothing listens on. */
async function freePort(from) {
  for (let port = from; ; port++) {
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await Promise.race([
      once(server, 'listening').then(() => true),
      new Promise((resolve) => server.once('error', () => resolve(false))),
    ]);
    if (!isFree) continue;
    server.close();
    return port;
  }
}

async function pause(secondsLong) {
  await sleep(secondsLong * 1000, undefined, { signal: stopping.signal });
}

async function end() {
  say('Ending …');
  stopping.abort();
  for (const { process: child } of children) child.kill('SIGTERM');
  await Promise.all([...children].map(({ ended }) => ended));
  await database?.stop?.();
  if (folder !== undefined && existsSync(folder))
    await rm(folder, { recursive: true, force: true });
}

function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

function say(text, isContinued = false) {
  const at = isContinued ? '' : seconds(performance.now() - begin);
  print(`${at.padStart(7)}  ${text}\n`);
}

function print(text) {
  process.stdout.write(text);
}
