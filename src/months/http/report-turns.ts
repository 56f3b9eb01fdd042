import { NotReadyError } from '../../http/common/query-errors.ts';
import { Turns } from '../../lib/turns.ts';

/** One is read, and the others wait. */
const mostRanges = 4;

/**
 * The report of a large account takes tens of megabytes, and that of a range of months seconds as
 * well. So one of each kind is read at a time.
 */
export class ReportTurns {
  readonly #turns = new Turns();
  #ranges = 0;

  month<T>(read: () => Promise<T>): Promise<T> {
    return this.#turns.take(['month'], read);
  }

  /** Throws a `NotReadyError` if too many wait. */
  async range<T>(read: () => Promise<T>): Promise<T> {
    if (this.#ranges >= mostRanges) {
      throw new NotReadyError('other ranges of months are read first: try again in a moment');
    }
    this.#ranges += 1;
    try {
      return await this.#turns.take(['range'], read);
    } finally {
      this.#ranges -= 1;
    }
  }
}
