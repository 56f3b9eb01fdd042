import { statSync } from 'node:fs';

/** In bytes; 0 when the file is not there. */
export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
