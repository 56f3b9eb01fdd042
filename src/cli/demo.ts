import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createExporter, createWebSecurity, memoryStorage } from '../app/create-exporter.ts';
import { loadConfigurationFile } from '../app/load-configuration.ts';
import { createProcessLog, scrubberOf } from '../app/logging.ts';
import { runningConfiguration } from '../app/reload.ts';
import { buildOf } from '../app/version.ts';
import type { Configuration } from '../config/configuration.ts';
import { storagePathVariable } from '../config/environment/variables.ts';
import { defaultServing, type Serving } from '../config/serving.ts';
import { systemClock, unixSeconds } from '../lib/clock.ts';
import { demoOutageId } from '../sandbox/account/seed-scenario.ts';
import { runOtherClient } from '../sandbox/other-client.ts';
import { readDemoPast } from './demo-past.ts';
import type { ServingFlags } from './flags.ts';
import { startSimulatedService } from './sandbox.ts';
import type { AccountFlags } from './sandbox-flags.ts';
import type { Terminal } from './terminal.ts';

const account = 'demo';
/** What another client of the account spends: some requests at once, then a few an hour. */
const otherClient = { burst: 40, burstAfterMilliseconds: 5_000, requestsPerHour: 12 };

/** Runs the exporter against a simulated account until the process is asked to stop. */
export async function demo(
  terminal: Terminal,
  given: ServingFlags,
  flags: AccountFlags,
): Promise<void> {
  const stopped = terminal.untilStopped();
  const build = buildOf(terminal.env);
  const token = randomBytes(24).toString('base64url');
  const simulated = { ...flags, startedAt: unixSeconds(systemClock), scenario: 'demo' } as const;
  const store = memoryStorage();
  const { service } = await startSimulatedService({ ...simulated, token, port: 0, adminPort: 0 });
  const ended = new AbortController();
  const folder = await makeFolder([tmpdir(), terminal.env[storagePathVariable] ?? '/dev/shm']);
  const file = join(folder, 'uptime.yaml');
  const { limits, world } = service;
  let spending = Promise.resolve();
  try {
    terminal.stdout.write(
      'Preparing a history for the simulated account; this takes a few seconds …\n',
    );
    await writeFile(file, configurationText(service.url, token), { mode: 0o600 });
    await readDemoPast({ account, token, simulated, store, build });
    const read = () => loadConfigurationFile(terminal.env, file);
    const servingOf = ({ serving }: Configuration): Serving => ({
      ...defaultServing,
      ...serving,
      ...given,
    });
    const first = read();
    const serving = servingOf(first);
    const scrubber = scrubberOf(first.accounts);
    const log = createProcessLog(terminal, serving, scrubber);
    const security = createWebSecurity(serving.webConfigFile, log);
    const exporter = createExporter({
      env: terminal.env,
      ...first,
      ...{ build, serving, store, log, scrubber },
      configuration: runningConfiguration({ read, first, serving, servingOf, log, scrubber }),
      ...security,
    });
    const url = await exporter.start();
    spending = runOtherClient(limits, otherClient, systemClock, ended.signal);
    terminal.sighup.listen(() => void exporter.reload());
    terminal.stdout.write(
      guide({
        ...{ url, path: serving.telemetryPath, file, checks: flags.checks },
        serviceUrl: service.url,
        adminUrl: service.adminUrl ?? '',
        outageId: demoOutageId(world.checks),
      }),
    );
    await stopped;
    await exporter.stop();
  } finally {
    ended.abort();
    await spending;
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function configurationText(serviceUrl: string, token: string): string {
  return `# The configuration of the demo. Change it, then reload it.
accounts:
  - name: ${account}
    base_url: ${serviceUrl}
    token: ${token}
objectives:
  default: 0.995
links:
  grafana: http://localhost:3000
`;
}

interface GuideFacts {
  readonly url: string;
  readonly path: string;
  readonly file: string;
  readonly checks: number;
  readonly serviceUrl: string;
  readonly adminUrl: string;
  readonly outageId: number | undefined;
}

function guide({ url, path, file, checks, serviceUrl, adminUrl, outageId }: GuideFacts): string {
  const json = "-H 'Content-Type: application/json' -d";
  const outage =
    outageId === undefined
      ? ''
      : `
  1. End an outage, and see the page change within two minutes
     curl -X POST ${adminUrl}/outages ${json} '{"checkId": ${outageId}, "status": "up"}'
`;
  return `
  The exporter monitors a simulated account with ${checks} checks.

    Status page   ${url}/
    Metrics       ${url}${path}
    Service       ${serviceUrl} (simulated, in this process)

  Three things to try:
${outage}
  2. Let the account's other client spend 150 requests, and see the exporter slow down
     curl -X POST ${adminUrl}/budget ${json} '{"requests": 150}'

  3. Raise the objective, and watch the error budgets shrink
     sed -i.bak 's/0.995/0.9995/' ${file} && curl -X POST ${url}/-/reload

  Stop with Ctrl-C.

`;
}

/** A folder of its own in the first of these that can be written: an image's file system is read-only but for its storage. */
async function makeFolder(parents: readonly string[]): Promise<string> {
  let failure: unknown;
  for (const parent of parents) {
    try {
      return await mkdtemp(join(parent, 'uptime-demo-'));
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
