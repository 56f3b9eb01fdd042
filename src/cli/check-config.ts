import { loadConfigurationFile, readTextFile } from '../app/load-configuration.ts';
import type { Configuration } from '../config/configuration.ts';
import { accountsWithEqualCredentials } from '../config/equal-credentials.ts';
import { configurationNotes } from '../config/notes.ts';
import { shownAddress } from '../lib/shown-address.ts';
import type { CheckConfigFlags } from './flags.ts';
import type { Terminal } from './terminal.ts';

/** Throws a `UsageError` with every problem of the file. */
export function checkConfig(terminal: Terminal, file: string, { secrets }: CheckConfigFlags): void {
  const read = { readText: readTextFile, secrets };
  printConfiguration(terminal, loadConfigurationFile(terminal.env, file, read));
  terminal.stdout.write(
    'Environment variables are not checked here: uptime-exporter serve --config.check reads them as well.\n',
  );
}

/** Prints the accounts, and the objectives in the order in which they are tried. */
export function printConfiguration(terminal: Terminal, configuration: Configuration): void {
  const { accounts, slo } = configuration;
  const { objectives } = slo;
  const shared = accountsWithEqualCredentials(accounts).map((names) => names.join(', '));
  const sections = [
    [
      'Accounts',
      accounts.map(
        ({ name, version, baseUrl }) => `${name}: API ${version}, ${shownAddress(baseUrl)}`,
      ),
    ],
    ['Accounts with equal credentials, which share one request budget', shared],
    ['Objectives of checks and transactions, the first match applies', objectives.describe()],
    ['Objectives of groups, the first match applies', objectives.describeForGroups()],
    ['Probably not meant', configurationNotes(configuration)],
  ] as const;
  const lines = sections
    .filter(([, rows]) => rows.length > 0)
    .flatMap(([title, rows]) => [`${title}:`, ...rows.map((row) => `  ${row}`)]);
  terminal.stdout.write(`Configuration is valid. ${lines.join('\n')}\n`);
}
