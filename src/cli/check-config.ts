import { loadConfigurationFile } from '../app/load-configuration.ts';
import type { Configuration } from '../config/configuration.ts';
import type { Terminal } from './terminal.ts';

/** Throws a `UsageError` with every problem of the file. */
export function checkConfig(terminal: Terminal, file: string): void {
  tellConfiguration(terminal, loadConfigurationFile(terminal.env, file));
}

/** The accounts, and the objectives in the order in which they are looked for. */
export function tellConfiguration(terminal: Terminal, { accounts, slo }: Configuration): void {
  const rows = accounts.map(
    ({ name, version, baseUrl }) => `  ${name}: API ${version}, ${baseUrl}`,
  );
  const objectives = slo.objectives.describe().map((line) => `  ${line}`);
  terminal.stdout.write(
    `Configuration is valid. Accounts:\n${rows.join('\n')}\nObjectives, the first match applies:\n${objectives.join('\n')}\n`,
  );
}
