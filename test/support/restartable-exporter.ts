import type { RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import type { RunningSandbox } from '../../sandbox/src/running-sandbox.ts';
import { listenOn } from '../../sandbox/src/server/listen.ts';
import { listenOnAll, type RunningServer } from '../../src/http/server/listen.ts';
import { World, type WorldOptions } from '../life/world.ts';

export type RestartableOptions = WorldOptions;

/** A world whose exporter and service also listen on ports. They are closed with the test. */
export class RestartableExporter extends World<RunningSandbox> {
  #url = '';

  /** With a sandbox, but not started. */
  static async create(options: WorldOptions = {}): Promise<RestartableExporter> {
    // The address is known before the options are.
    const address = { url: '', close: async () => {} };
    const created = new RestartableExporter(options, (sandbox) => Object.assign(address, sandbox));
    Object.assign(address, await listenOn(created.sandbox.app, '127.0.0.1', 0));
    onTestFinished(async () => {
      await created.crash();
      await created.sandbox.close();
    });
    return created;
  }

  get url(): string {
    return this.#url;
  }

  protected override get baseUrl(): string {
    return this.sandbox.url;
  }

  protected override async listen(app: RequestListener): Promise<readonly RunningServer[]> {
    const servers = await listenOnAll(app, ['127.0.0.1:0'], this.machineClock, {});
    this.#url = servers[0]?.url ?? '';
    return servers;
  }
}
