import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoOutageId, type RunningSandbox, runOtherClient } from 'uptime-sandbox';
import { Exporter } from '../app/exporter.ts';
import { loadConfigurationFile, readTextFile } from '../app/load-configuration.ts';
import { createProcessLog, scrubberOf } from '../app/logging.ts';
import { memoryStorage } from '../app/open-storage.ts';
import { runningConfiguration } from '../app/reload.ts';
import { buildOf } from '../app/version.ts';
import { createWebSecurity } from '../app/web-security.ts';
import type { Configuration } from '../config/configuration.ts';
import { linksFromEnvironment, storagePathVariable } from '../config/environment.ts';
import { defaultServing, type Serving } from '../config/serving.ts';
import { requireFree } from '../http/server/listen.ts';
import { placesToListen } from '../http/server/listen-address.ts';
import { systemClock, unixSeconds } from '../lib/clock.ts';
import { present } from '../lib/present.ts';
import type { AccountFlags } from './account-flags.ts';
import { readDemoPast } from './demo-past.ts';
import type { ServingFlags } from './flags.ts';
import { HeldOutput } from './held-output.ts';
import { startSimulatedService } from './sandbox.ts';
import type { Terminal } from './terminal.ts';

const account = 'demo';
/** Requests that another client of the account sends: a burst after 5 s, then a few an hour. */
const otherClient = { burst: 40, burstAfterMilliseconds: 5_000, requestsPerHour: 12 };

/** Runs the exporter against a simulated account until the process is asked to stop. */
export async function demo(
  terminal: Terminal,
  given: ServingFlags,
  flags: AccountFlags,
): Promise<void> {
  const { listenAddresses } = { ...defaultServing, ...given };
  for (const address of listenAddresses) await requireFree(address);
  const stopped = terminal.untilStopped();
  const build = buildOf(terminal.env);
  const token = randomBytes(24).toString('base64url');
  const simulated = {
    ...flags,
    startedAt: unixSeconds(systemClock),
    scenario: 'demo',
  } as const;
  const store = memoryStorage();
  const service = await startSimulatedService({ ...simulated, token, port: 0, adminPort: 0 });
  const ended = new AbortController();
  const folder = await makeFolder([tmpdir(), terminal.env[storagePathVariable] ?? '/dev/shm']);
  const file = join(folder, 'uptime.yaml');
  const { limits, world } = service;
  let spending = Promise.resolve();
  const heldLog = new HeldOutput(terminal.stderr);
  try {
    terminal.stdout.write(
      `Welcome. The demo prepares a day of a simulated account, and then reads three months; this takes ${durationFor(flags.checks)} …\n`,
    );
    const { grafana } = linksFromEnvironment(terminal.env);
    await writeFile(file, configurationText(service, token, grafana), { mode: 0o600 });
    const read = () => loadConfigurationFile(terminal.env, file, { readText: readTextFile });
    const servingOf = ({ serving }: Configuration): Serving => ({
      ...defaultServing,
      ...serving,
      ...given,
    });
    const first = read();
    const serving = servingOf(first);
    const scrubber = scrubberOf(first.accounts);
    const log = createProcessLog({ stderr: heldLog }, serving, scrubber);
    const security = createWebSecurity(serving.webConfigFile, log);
    await readDemoPast({ account, token, simulated, store, build, slo: first.slo });
    const exporter = new Exporter({
      ...first,
      serving,
      listenOn: placesToListen(serving, terminal.env, process.pid),
      build,
      clock: systemClock,
      random: Math.random,
      store,
      log,
      scrubber,
      configuration: runningConfiguration({ read, first, serving, servingOf, log, scrubber }),
      ...present({ security }),
    });
    const url = await exporter.start();
    spending = runOtherClient(limits, otherClient, systemClock, ended.signal);
    terminal.sighup.listen(() => void exporter.reload());
    terminal.stdout.write(
      guide({
        url,
        path: serving.telemetryPath,
        file,
        checks: flags.checks,
        serviceUrl: service.url,
        adminUrl: service.adminUrl ?? '',
        outageId: demoOutageId(world.checks),
      }),
    );
    heldLog.release();
    await stopped;
    await exporter.stop();
  } finally {
    heldLog.release();
    ended.abort();
    await spending;
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function durationFor(checks: number): string {
  if (checks <= 50) return 'about ten seconds';
  return checks <= 2_000 ? 'up to a minute' : 'some minutes';
}

function configurationText(
  { url, adminUrl, world }: RunningSandbox,
  token: string,
  grafana: string | undefined,
): string {
  const { group, lines } = publicServices(world.checks);
  return `# The configuration of the demo. Change it, then reload it.
accounts:
  - name: ${account}
    base_url: ${url}
    token: ${token}
objectives:
  default: 0.995
groups:
  from_tags: ["team:*"]
# Everyone may read ${publicPath}, which shows the checks of a group under these names.
pages:
  - name: shop
    title: Example Shop
    account: ${account}
    group: ${group}
    checks:
${lines}# The simulated service has no page for a check; this one shows what can happen to it.
links:
  check: ${adminUrl}/
  transaction: ${adminUrl}/
${grafana === undefined ? '' : `  grafana: ${JSON.stringify(grafana)}\n`}`;
}

const publicPath = '/status/shop';

/** The checks of one team, under names that reveal nothing about the account. */
function publicServices(checks: RunningSandbox['world']['checks']) {
  const names = ['Website', 'Checkout', 'Search', 'Delivery'];
  const groupsOf = ({ tags }: (typeof checks)[number]) =>
    tags.map(({ name }) => name).filter((name) => name.startsWith('team:'));
  const groups = checks.flatMap(groupsOf);
  const group = groups.find((name) => name === 'team:web') ?? groups[0] ?? '';
  const members = checks.filter((check) => groupsOf(check).includes(group));
  const lines = members
    .slice(0, names.length)
    .map(({ id }, place) => `      - { id: ${id}, name: ${names[place]} }\n`);
  return { group: JSON.stringify(group), lines: lines.join('') };
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
    For others    ${url}${publicPath}
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

/** Creates a folder in the first writable parent. A container may have only the storage path. */
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
