export type Path = readonly (string | number)[];

/** One thing that is wrong with a configuration. The message never holds a secret. */
export interface Problem {
  readonly path: Path;
  readonly message: string;
  /** What the place to look at is: the key, or what stands after it. */
  readonly at: 'key' | 'value';
}

/** Every problem at once, one in a line. */
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
