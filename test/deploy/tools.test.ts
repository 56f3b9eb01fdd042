import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startChild } from '../support/child.ts';
import { freePort } from '../support/free-port.ts';
import { missing, type ToolName, toolPath } from '../support/tools.ts';

interface Server {
  readonly tool: ToolName;
  readonly configuration: string;
  readonly storage: string;
  readonly version: RegExp;
  readonly more?: readonly string[];
}

/**
 * They are built from Go modules, without the assets of their web interfaces, and must still work.
 */
const servers: Server[] = [
  {
    tool: 'prometheus-3',
    configuration: 'scrape_configs: []\n',
    storage: '--storage.tsdb.path',
    version: /version 3\.\d+\.\d+/,
  },
  {
    tool: 'alertmanager-0.31',
    configuration: 'route: { receiver: none }\nreceivers: [{ name: none }]\n',
    storage: '--storage.path',
    version: /version 0\.31\.\d+/,
    more: ['--cluster.listen-address='],
  },
];

for (const { tool, configuration, storage, version, more = [] } of servers) {
  test.skipIf(missing(tool))(`${tool} of tools/bin starts and states its version`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'uptime-tool-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, 'config.yaml'), configuration);
    const port = await freePort();
    startChild(toolPath(tool), [
      `--config.file=${folder}/config.yaml`,
      `--web.listen-address=127.0.0.1:${port}`,
      `${storage}=${folder}/data`,
      ...more,
    ]);
    const ready = () =>
      fetch(`http://127.0.0.1:${port}/-/ready`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(ready).toBe(200);
    const child = startChild(toolPath(tool), ['--version']);
    expect(await child.ended).toBe(0);
    expect(child.output()).toMatch(version);
  });
}
