import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hashSync } from 'bcryptjs';

/*
 * The waiting time of a client with the right password while sixty guessers try for a minute:
 * before and after a restart of the exporter, with guessers on the client's address, on another
 * address, and on sixty addresses. The exporter stores its state in a folder and polls a simulated
 * account. Needs the built exporter: npm run bench:guessers.
 */
const guessers = 60;
const seconds = Number(process.argv[2] ?? 60);
const port = await freePort();
const right = 'the right password';
const folder = mkdtempSync(join(tmpdir(), 'uptime-guessers-'));
const webConfig = join(folder, 'web.yml');
writeFileSync(webConfig, `basic_auth_users: { prometheus: ${hashSync(right, 10)} }\n`);

interface Client {
  readonly localAddress: string;
  readonly name: string;
  readonly agent: Agent;
}

/** The port stays the same after the restart, so that the guessers find it. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Returns the status of a scrape, which may omit the password; 0 without a response. */
async function scrape(client: Client, password?: string): Promise<number> {
  const { localAddress, agent, name } = client;
  const request = get({
    ...{ host: '127.0.0.1', port, path: '/metrics', localAddress, agent },
    ...(password !== undefined && { auth: `prometheus:${password}` }),
    headers: { 'User-Agent': name },
  });
  return once(request, 'response').then(
    async ([response]) => {
      response.resume();
      await once(response, 'close');
      return Number(response.statusCode);
    },
    () => 0,
  );
}

const main = join(import.meta.dirname, '..', '..', 'dist', 'main.js');
const token = 'bench-token-1234567890';
const servicePort = await freePort();
const service = spawn(
  process.execPath,
  [main, 'sandbox', `--port=${servicePort}`, `--token=${token}`],
  { stdio: 'ignore' },
);

function start(storage: string) {
  const flags = [
    `--web.listen-address=127.0.0.1:${port}`,
    `--web.config.file=${webConfig}`,
    `--storage.path=${storage}`,
  ];
  const env = {
    UPTIME_API_BASE_URL: `http://127.0.0.1:${servicePort}`,
    UPTIME_API_TOKEN: token,
  };
  return spawn(process.execPath, [main, 'serve', ...flags], { env, stdio: 'ignore' });
}

function quantile(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

function counts(statuses: ReadonlyMap<number, number>): string {
  return [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
}

async function measure(name: string, addressOf: (guesser: number) => string): Promise<void> {
  const storage = mkdtempSync(join(folder, 'storage-'));
  let child = start(storage);
  const prometheus = {
    localAddress: '127.0.0.1',
    name: 'Prometheus/3.5.0',
    agent: new Agent({ keepAlive: true }),
  };
  while ((await scrape(prometheus, right)) !== 200) await delay(100);
  let over = false;
  let answers = new Map<number, number>();
  const guess = async (guesser: number) => {
    const client = {
      localAddress: addressOf(guesser),
      name: 'guesser',
      agent: new Agent({ keepAlive: true }),
    };
    for (let n = 0; !over; n++) {
      const status = await scrape(client, `guess ${guesser} ${n}`);
      answers.set(status, (answers.get(status) ?? 0) + 1);
      if (status !== 401) await delay(10);
    }
    client.agent.destroy();
  };
  const attack = Array.from({ length: guessers }, (_, guesser) => guess(guesser));
  for (const phase of ['before a restart', 'after a restart']) {
    if (phase === 'after a restart') {
      child.kill('SIGKILL');
      await once(child, 'exit');
      child = start(storage);
      while ((await scrape(prometheus)) === 0) await delay(20);
    }
    const times: number[] = [];
    const statuses = new Map<number, number>();
    answers = new Map();
    for (const end = performance.now() + seconds * 1_000; performance.now() < end; ) {
      const since = performance.now();
      const status = await scrape(prometheus, right);
      times.push(performance.now() - since);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await delay(200);
    }
    const first = Math.round(times[0] ?? 0);
    times.sort((a, b) => a - b);
    const [p50, p99, max] = [0.5, 0.99, 1].map((share) => quantile(times, share));
    process.stdout.write(
      `${name}, ${phase}: first ${first} ms, p50 ${p50} ms, p99 ${p99} ms, max ${max} ms; ${counts(statuses)}; guessers got ${counts(answers)}\n`,
    );
  }
  over = true;
  child.kill('SIGKILL');
  await Promise.all(attack);
  prometheus.agent.destroy();
}

await measure('sixty guessers of another address', () => '127.0.0.2');
await measure('sixty guessers of sixty addresses', (guesser) => `127.0.1.${guesser + 1}`);
await measure('sixty guessers of the same address', () => '127.0.0.1');
service.kill();
rmSync(folder, { recursive: true });
