import { loadConfigurationFile } from '../app/load-configuration.ts';
import type { Configuration } from '../config/configuration.ts';
import type { Terminal } from './terminal.ts';

/** Throws a `UsageError` with every problem of the file. */
export function checkConfig(terminal: Terminal, file: string): void {
  printAccounts(terminal, loadConfigurationFile(terminal.env, file));
}

export function printAccounts(terminal: Terminal, { accounts }: Configuration): void {
  const rows = accounts.map(
    ({ name, version, baseUrl }) => `  ${name}: API ${version}, ${baseUrl}`,
  );
  terminal.stdout.write(`Configuration is valid. Accounts:\n${rows.join('\n')}\n`);
}
