import type { Path } from '../../lib/yaml-source.ts';

/** Lists every problem of a configuration, one per line. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** As in `accounts[0].budget.reserve`. */
export function formatPath(path: Path): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`,
    )
    .join('');
}

/** The program was called or configured incorrectly. Printed without a stack trace; exit code 1. */
export class UsageError extends Error {
  override readonly name = 'UsageError' as const;
}
