import { stringify } from 'yaml';
import type { Configuration } from './configuration.ts';
import { mapping } from './raw.ts';
import type { Serving } from './serving.ts';

/** The configuration in use as YAML: what was said and, of how it is served, what holds by default too. */
export function configurationYaml({ shown }: Configuration, serving: Serving): string {
  const { accounts, ...said } = mapping(shown);
  return stringify({
    ...said,
    web: {
      listen_address: serving.listenAddress,
      telemetry_path: serving.telemetryPath,
      max_requests: serving.maxRequests,
    },
    storage: { path: serving.storagePath },
    log: { level: serving.logLevel, format: serving.logFormat },
    accounts,
  });
}
