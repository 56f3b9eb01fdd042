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

/** Runs Helm 4. Rejects with its output if it fails. */
export function helm(...args: string[]): Promise<string> {
  return runHelm('helm', args);
}

type Helm = 'helm' | 'helm-3';

async function runHelm(name: Helm, args: readonly string[]): Promise<string> {
  const { stdout } = await run(toolPath(name), args, { maxBuffer: 64 << 20 });
  return stdout;
}

export function template(valuesFile: string, ...args: string[]): Promise<string> {
  return templateWith('helm', valuesFile, ...args);
}

export function templateWith(name: Helm, valuesFile: string, ...args: string[]): Promise<string> {
  const values = `--values=${valuesFile}`;
  // As a Go module, Helm 3 does not know for which Kubernetes it was built.
  const kubernetes = name === 'helm-3' ? ['--kube-version=1.36.0'] : [];
  const options = ['--namespace=sre', values, ...kubernetes, ...args];
  return runHelm(name, ['template', 'uptime', chartFolder, ...options]);
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
