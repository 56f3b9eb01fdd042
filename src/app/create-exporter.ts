import type { Environment } from '../config/environment.ts';
import { effectiveRoutePrefix, type Serving } from '../config/serving.ts';
import { systemdSockets } from '../http/server/listen-address.ts';
import { systemClock } from '../lib/clock.ts';
import { Exporter, type ExporterOptions } from './exporter.ts';

interface ProcessOptions
  extends Omit<ExporterOptions, keyof Serving | 'listenOn' | 'clock' | 'random'> {
  readonly env: Environment;
  readonly serving: Serving;
}

/** Creates the exporter with the system clock and `Math.random`. */
export function createExporter({ env, serving, ...options }: ProcessOptions): Exporter {
  const { telemetryPath, maxRequests, unauthenticatedProbes, externalUrl } = serving;
  return new Exporter({
    ...options,
    listenOn: serving.systemdSocket ? systemdSockets(env, process.pid) : serving.listenAddresses,
    telemetryPath,
    maxRequests,
    unauthenticatedProbes,
    routePrefix: effectiveRoutePrefix(serving),
    ...(externalUrl !== undefined && { externalUrl: new URL(externalUrl) }),
    clock: systemClock,
    random: Math.random,
  });
}
