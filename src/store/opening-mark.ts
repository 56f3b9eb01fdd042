import { readFile, rm, writeFile } from 'node:fs/promises';

const triesAllowed = 2;

/**
 * Counts openings that did not come to an end, so that damage which kills the process cannot do so for ever. What
 * killed it is not known: keep short what is marked, since a process killed from outside meanwhile counts as well.
 */
export class OpeningMark {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** False when as many openings as are allowed have died already. */
  async begin(): Promise<boolean> {
    const died = Number(await readFile(this.#path, 'utf8').catch(() => '0'));
    if (died >= triesAllowed) return false;
    await writeFile(this.#path, String(died + 1));
    return true;
  }

  async end(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}
