/** The files that a web configuration names, as the process sees them. */
export interface WebFiles {
  /** The text of a file; throws when it cannot be read. */
  read(path: string): string;
  /** A text that is another one when the file is; it does not throw. */
  fingerprint(path: string): string;
}
