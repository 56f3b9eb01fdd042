import { UsageError } from '../../config/problems.ts';
import type { Clock } from '../../lib/clock.ts';
import { present } from '../../lib/present.ts';
import { readAuthFile } from '../../remote/auth-file.ts';
import { exporterAuthFlag } from '../../remote/exporter-flags.ts';
import { RetryingClient } from '../../remote/retrying-client.ts';
import type { Destination } from './destination.ts';
import type { BackfillFlags } from './flags.ts';
import { PrometheusTarget } from './prometheus-target.ts';
import { RemoteWrite } from './remote-write.ts';

interface ServerFlags {
  readonly url: string;
  readonly server: string;
  readonly authFlag: string;
  readonly authFile: string | undefined;
}

interface ServersOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
}

/** The servers from the command line. */
export class Servers {
  readonly #flags: BackfillFlags;
  readonly #options: ServersOptions;

  constructor(flags: BackfillFlags, options: ServersOptions) {
    this.#flags = flags;
    this.#options = options;
  }

  exporter(): RetryingClient {
    const { exporter: url, exporterAuthFile: authFile } = this.#flags;
    return this.#client({ url, server: 'the exporter', authFlag: exporterAuthFlag, authFile });
  }

  /** The server that receives the history; undefined if none is specified. */
  target(account: string): PrometheusTarget | undefined {
    const { prometheus: url, prometheusAuthFile: authFile } = this.#flags;
    if (url === undefined) return undefined;
    const authFlag = '--prometheus-auth-file';
    return new PrometheusTarget(
      this.#client({ url, server: 'Prometheus', authFlag, authFile }),
      account,
    );
  }

  /** `days`: the age of the oldest sample. */
  destination(days: number): Destination {
    const { blocks, promtool, remoteWrite: url, remoteWriteAuthFile } = this.#flags;
    const { clock, signal } = this.#options;
    if (blocks !== undefined && url !== undefined) {
      throw new UsageError('choose one of --blocks and --remote-write');
    }
    if (blocks !== undefined) return { kind: 'blocks', blockImport: { promtool, blocks } };
    if (url === undefined) return { kind: 'files' };
    const remoteWrite = new RemoteWrite({
      url,
      clock,
      signal,
      days,
      ...(remoteWriteAuthFile !== undefined && {
        credentials: readAuthFile('--remote-write-auth-file', remoteWriteAuthFile),
      }),
    });
    return { kind: 'remote', url, remoteWrite };
  }

  #client({ url, server, authFlag, authFile }: ServerFlags): RetryingClient {
    const { clock, signal, say } = this.#options;
    const credentials = authFile === undefined ? undefined : readAuthFile(authFlag, authFile);
    return new RetryingClient({
      url,
      server,
      authFlag,
      clock,
      signal,
      ...present({ credentials }),
      // The plan is shown to a waiting person, so a mistyped address must fail soon.
      ...(this.#flags.plan && { patienceMilliseconds: 0 }),
      onRetry: (message) => say(`${message}; trying again for ten minutes`),
    });
  }
}
