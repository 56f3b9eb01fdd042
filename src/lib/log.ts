import { type DestinationStream, pino } from 'pino';
import type { Clock } from './clock.ts';
import { toLogfmt } from './logfmt.ts';
import type { Scrubber } from './secret.ts';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

export const logFormats = ['logfmt', 'json'] as const;
export type LogFormat = (typeof logFormats)[number];

/** Writes one line: facts as fields, then a message that is the same every time. */
export type Log = { readonly [L in LogLevel]: (fields: object, message: string) => void };

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  readonly clock: Pick<Clock, 'now'>;
  readonly scrubber: Scrubber;
  readonly destination: DestinationStream;
}

/**
 * A log in which no secret can stand: every finished line is scrubbed by value, because a redaction
 * by path misses messages and stacks.
 */
export function createLog(options: LogOptions): Log {
  const { clock, scrubber } = options;
  const format = options.format === 'logfmt' ? toLogfmt : (line: string) => line;
  return pino(
    {
      level: options.level,
      base: null,
      messageKey: 'msg',
      errorKey: 'error',
      timestamp: () => `,"ts":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
      hooks: { streamWrite: (line) => scrubber.scrub(format(line)) },
    },
    options.destination,
  );
}
