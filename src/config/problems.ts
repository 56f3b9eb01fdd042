/** Lists every problem of a configuration, one per line. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** The program was called or configured incorrectly. Printed without a stack trace; exit code 1. */
export class UsageError extends Error {
  override readonly name = 'UsageError' as const;
  readonly exitCode: number;

  constructor(message: string, options: ErrorOptions & { readonly exitCode?: number } = {}) {
    super(message, options);
    this.exitCode = options.exitCode ?? 1;
  }
}
