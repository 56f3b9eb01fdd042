import type { Configuration } from '../config/configuration.ts';
import { configurationYaml } from '../config/display.ts';
import type { Serving } from '../config/serving.ts';
import type { Log } from '../lib/log.ts';
import type { Scrubber } from '../lib/secret.ts';
import { secretsOf } from './create-exporter.ts';
import type { RunningConfiguration } from './exporter.ts';

export interface RunningConfigurationOptions {
  readonly read: () => Configuration;
  /** The one that the exporter starts with. */
  readonly first: Configuration;
  /** What is in use until the next start. */
  readonly serving: Serving;
  /** How a configuration is served, flags and defaults included. */
  readonly servingOf: (configuration: Configuration) => Serving;
  readonly log: Log;
  readonly scrubber: Scrubber;
}

/** The configuration of a running exporter. How it is served stays as it was at the start. */
export function runningConfiguration(options: RunningConfigurationOptions): RunningConfiguration {
  const { read, first, serving, servingOf, log, scrubber } = options;
  let current = first;
  return {
    read: () => {
      const configuration = read();
      // The old secrets stay: replies under way may still repeat them.
      for (const secret of secretsOf(configuration.accounts)) scrubber.add(secret);
      const settings = settingsNeedingRestart(serving, servingOf(configuration));
      if (settings.length > 0) log.warn({ settings }, 'settings take effect at the next start');
      return configuration;
    },
    apply: (configuration) => {
      current = configuration;
    },
    shown: () => scrubber.scrub(configurationYaml(current, serving)),
  };
}

const settingNames: { readonly [K in keyof Serving]-?: string } = {
  listenAddress: 'web.listen_address',
  telemetryPath: 'web.telemetry_path',
  maxRequests: 'web.max_requests',
  webConfigFile: '--web.config.file',
  storagePath: 'storage.path',
  logLevel: 'log.level',
  logFormat: 'log.format',
};

function settingsNeedingRestart(serving: Serving, wanted: Serving): string[] {
  const names = Object.keys(settingNames) as (keyof Serving)[];
  return names.filter((name) => serving[name] !== wanted[name]).map((name) => settingNames[name]);
}
