import type { Command, CommanderError } from 'commander';
import { didYouMean } from '../lib/nearest-word.ts';

/** Common flags of other programs, with the names they have here. */
const otherNames: ReadonlyMap<string, string> = new Map([['--port', '--web.listen-address']]);

/** Flags for the file of a command. */
const fileFlags: ReadonlySet<string> = new Set(['--config.file', '--config']);

/** Returns whether a word looks like the path of a file. */
export function isPath(word: string | undefined): boolean {
  return word !== undefined && /[./]/.test(word);
}

/** Explains an error in the arguments of a command. */
export function flagProblem(root: Command, argv: readonly string[], error: CommanderError): string {
  const command = commandOf(root, argv[0]);
  if (command === undefined) return error.message;
  const usage = usageOf(command);
  if (error.code === 'commander.excessArguments') {
    const [stray] = command.args.slice(command.registeredArguments.length);
    return `error: ${command.name()} does not take "${stray}"; ${remedyFor(command, stray) ?? usage}`;
  }
  if (error.code === 'commander.missingArgument') return `${error.message}; ${usage}`;
  const [, flag] = /^error: unknown option '(--?[^'=]*)/.exec(error.message) ?? [];
  if (flag === undefined) return error.message;
  if (flag === '--help' || flag === '--version') return `error: ${flag} takes no value`;
  return `error: ${unknownFlag(root, command, flag)}`;
}

/** The flag for which the word was meant. */
function remedyFor(command: Command, word: string | undefined): string | undefined {
  const flags = flagsOf(command);
  if (/^https?:\/\//.test(word ?? '')) {
    return flags.includes('--exporter') ? `for an address: --exporter=${word}` : undefined;
  }
  const forFile = isPath(word) && flags.find((flag) => fileFlags.has(flag));
  return forFile ? `for a file: ${forFile}=${word}` : undefined;
}

/** The default command is `serve`. */
function commandOf({ commands }: Command, name: string | undefined): Command | undefined {
  const named = (wanted: string | undefined) => commands.find((each) => each.name() === wanted);
  return named(name) ?? named('serve');
}

/** The flag may be misspelt, belong to another command, or have a value although it takes none. */
function unknownFlag(root: Command, command: Command, flag: string): string {
  const flags = flagsOf(command);
  if (flags.includes(flag)) return `${flag} takes no value`;
  const other = otherNames.get(flag);
  const [near] = flags
    .filter((name) => name === other || isPartOf(flag, name) || isPartOf(name, flag))
    .toSorted((a, b) => a.length - b.length);
  if (near !== undefined) return `unknown option ${flag}; did you mean "${near}"?`;
  const hint = didYouMean(flag, flags);
  if (hint !== '') return `unknown option ${flag}${hint}`;
  const owners = root.commands.filter((other) => flagsOf(other).includes(flag));
  if (owners.length > 0) {
    const names = owners.map((owner) => `uptime-exporter ${owner.name()} ${flag}`);
    const usage = command.registeredArguments.length > 0 ? `; ${usageOf(command)}` : '';
    return `${command.name()} has no ${flag}${usage}; other commands have it: ${names.join(', ')}`;
  }
  const anywhere = didYouMean(flag, root.commands.flatMap(flagsOf));
  return `unknown option ${flag}${anywhere || '; see uptime-exporter --help and COMMAND --help'}`;
}

function usageOf(command: Command): string {
  return `usage: uptime-exporter ${command.name()} ${command.usage()}`;
}

function flagsOf({ options }: Command): string[] {
  return options.flatMap(({ long }) => long ?? []);
}

/** As `--config` of `--config.file`, and `--listen-address` of `--web.listen-address`. */
function isPartOf(part: string, flag: string): boolean {
  return flag.startsWith(part) || flag.endsWith(part.replace(/^--/, '.'));
}
