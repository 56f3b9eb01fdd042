import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { toolPath } from '../support/tools.ts';

const run = promisify(execFile);
export const root = join(import.meta.dirname, '..', '..');
export const chartFolder = join(root, 'deploy/helm/uptime-exporter');

const object = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});

/** An object of Kubernetes, as far as every one of them is alike. */
export type KubernetesObject = z.infer<typeof object>;

/** Runs helm, and rejects with what it says when it fails. */
export async function helm(...args: string[]): Promise<string> {
  const { stdout } = await run(toolPath('helm'), args, { maxBuffer: 64 << 20 });
  return stdout;
}

export function template(valuesFile: string, ...args: string[]): Promise<string> {
  return helm(
    'template',
    'uptime',
    chartFolder,
    '--namespace=sre',
    `--values=${valuesFile}`,
    ...args,
  );
}

export function objectsOf(manifest: string): KubernetesObject[] {
  return parseAllDocuments(manifest)
    .map((document) => document.toJS())
    .filter((value) => value !== null)
    .map((value) => object.parse(value));
}
