import type { Command } from 'commander';

/** The running exporter that a command asks. */
export interface ExporterFlags {
  readonly exporter: string;
  readonly exporterAuthFile?: string;
}

export const exporterAuthFlag = '--exporter-auth-file';

export function withExporterFlags(command: Command): Command {
  return command
    .option('--exporter <url>', 'address of the running exporter', 'http://localhost:9158')
    .option(`${exporterAuthFlag} <file>`, authFileHelp('the exporter'));
}

export function authFileHelp(server: string): string {
  return `file with user:password, or with the word Bearer and a token, where ${server} asks for them`;
}
