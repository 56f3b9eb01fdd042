import { type DestinationStream, pino } from 'pino';
import type { WallClock } from './clock.ts';
import type { Scrubber } from './secret.ts';

/** `ts=… level=… msg="…" key=value`. Nested keys get dots. */
function toLogfmt({ ts, level, msg, ...fields }: Readonly<Record<string, unknown>>): string {
  const pairs = [...flatten({ ts, level, msg }), ...flatten(fields)];
  return `${pairs.map(([key, value]) => `${key}=${quote(value)}`).join(' ')}\n`;
}

function* flatten(fields: object, prefix = ''): Generator<[string, unknown]> {
  for (const [key, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const name = prefix + key.replaceAll(/[\s="]/g, '_');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      yield* flatten(value, `${name}.`);
    } else {
      yield [name, value];
    }
  }
}

function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[^\s="\\\p{Cc}]+$/u.test(text) ? text : JSON.stringify(text);
}

function toJson(fields: object): string {
  return `${JSON.stringify(fields)}\n`;
}

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

export const logFormats = ['logfmt', 'json'] as const;
export type LogFormat = (typeof logFormats)[number];

/** Writes one line. Facts are fields; the message is constant and searchable. */
export type Log = { readonly [L in LogLevel]: (fields: object, message: string) => void };

interface LogOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  readonly clock: WallClock;
  readonly scrubber: Scrubber;
  readonly destination: DestinationStream;
}

/**
 * Creates a log whose texts are scrubbed by value, including messages and stacks. Keys, numbers,
 * time and level contain no secret, and a short one must not change them.
 */
export function createLog(options: LogOptions): Log {
  const { clock, scrubber } = options;
  const format = options.format === 'logfmt' ? toLogfmt : toJson;
  const withoutSecrets = (line: string): Record<string, unknown> =>
    JSON.parse(line, (key, value) =>
      typeof value === 'string' && key !== 'ts' && key !== 'level' ? scrubber.scrub(value) : value,
    );
  return pino(
    {
      level: options.level,
      base: null,
      messageKey: 'msg',
      errorKey: 'error',
      timestamp: () => `,"ts":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
      hooks: { streamWrite: (line) => format(withoutSecrets(line)) },
    },
    options.destination,
  );
}
