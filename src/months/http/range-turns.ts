import { NotReadyError } from '../../http/common/query-errors.ts';
import { Turns } from '../../lib/turns.ts';

/** One is read, and the others wait. */
const mostRanges = 4;

/** A range of months takes seconds and tens of megabytes at the largest, so one is read at a time. */
export class RangeTurns {
  readonly #turns = new Turns();
  #count = 0;

  /** Throws a `NotReadyError` if too many wait. */
  async take<T>(read: () => Promise<T>): Promise<T> {
    if (this.#count >= mostRanges) {
      throw new NotReadyError('other ranges of months are read first: try again in a moment');
    }
    this.#count += 1;
    try {
      return await this.#turns.take(['range'], read);
    } finally {
      this.#count -= 1;
    }
  }
}
