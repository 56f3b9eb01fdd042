import type { Command } from 'commander';
import { integerBetween } from '../lib/integer-between.ts';

/** Flags of the simulated account. */
export interface AccountFlags {
  readonly checks: number;
  readonly transactions?: number;
  readonly seed: number;
  readonly shortLimit: number;
  readonly longLimit: number;
}

/** The request limits of a typical account. */
const typicalLimits = { short: 400, long: 72_000 };

export function withAccountFlags(command: Command): Command {
  return command
    .option('--checks <n>', 'number of checks', integerBetween(0, 50_000), 24)
    .option(
      '--transactions <n>',
      'number of transaction checks (default: a tenth as many as checks, at least 3)',
      integerBetween(0, 5_000),
    )
    .option('--seed <n>', 'seed of the generated account', integerBetween(0), 1)
    .option(
      '--short-limit <n>',
      'requests allowed per hour',
      integerBetween(1),
      typicalLimits.short,
    )
    .option(
      '--long-limit <n>',
      'requests allowed per 30 days',
      integerBetween(1),
      typicalLimits.long,
    );
}
