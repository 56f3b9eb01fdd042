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

/** The fields that all objects of Kubernetes have. */
export type KubernetesObject = z.infer<typeof object>;

/** Runs helm. Rejects with its output if it fails. */
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

interface Relabelling {
  readonly sourceLabels?: readonly string[];
  readonly targetLabel?: string;
  readonly regex?: string;
  readonly replacement?: string;
  readonly action?: string;
}

interface Endpoint {
  readonly relabelings: readonly Relabelling[];
  readonly metricRelabelings: readonly Relabelling[];
}

interface Monitor {
  readonly spec: {
    readonly endpoints?: readonly Endpoint[];
    readonly podMetricsEndpoints?: readonly Endpoint[];
  };
}

/** As the operator writes it into the configuration of Prometheus. */
export function asPrometheus({ sourceLabels, targetLabel, ...rest }: Relabelling): object {
  return {
    ...(sourceLabels && { source_labels: sourceLabels }),
    ...(targetLabel !== undefined && { target_label: targetLabel }),
    ...rest,
  };
}

/** The endpoints that a monitor of this kind scrapes. */
export async function endpointOf(kind: string, file: string): Promise<Endpoint> {
  const found = objectsOf(await template(file)).find((object) => object.kind === kind);
  const { spec } = found as never as Monitor;
  const [endpoint] = spec.endpoints ?? spec.podMetricsEndpoints ?? [];
  if (endpoint === undefined) throw new Error(`no ${kind} with ${file}`);
  return endpoint;
}
