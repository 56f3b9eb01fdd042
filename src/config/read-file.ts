/** Returns the text of a file, or throws. */
export type ReadFile = (path: string) => string;

/** Why a file cannot be read, as the system names it, such as `ENOENT`. */
export function readErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
}
