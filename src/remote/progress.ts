import type { MonotonicClock } from '../lib/clock.ts';
import { humanizeDuration } from '../lib/format-duration.ts';
import type { JobProgress } from './exporter-job.ts';
import type { Output } from './terminal.ts';

const barWidth = 30;
/** Without a terminal, a line reports the progress at most this often. */
const lineMilliseconds = 60_000;

/** Shows the progress: as a bar in a terminal, otherwise as one line a minute. */
export class Progress {
  readonly #output: Output;
  readonly #clock: MonotonicClock;
  #shownAt = Number.NEGATIVE_INFINITY;
  #isBarShown = false;
  /** When the first day was written, and its place: earlier ones may be of an earlier run. */
  #first: { readonly at: number; readonly days: number } | undefined;

  constructor(output: Output, clock: MonotonicClock) {
    this.#output = output;
    this.#clock = clock;
  }

  /** Writes a separate line. */
  say(text: string): void {
    this.end();
    this.#output.write(`${text}\n`);
  }

  read({
    items,
    read,
    incomplete,
    refused,
    gone,
    waiting,
    seconds_left,
  }: Omit<JobProgress, 'state'>): void {
    const share = (read + refused + gone) / Math.max(1, items);
    const exceptions = [
      incomplete > 0 && `${incomplete} with unreadable entries`,
      refused > 0 && `${refused} refused by the service`,
      gone > 0 && `${gone} deleted`,
      waiting > 0 && `${waiting} first seen too recently`,
    ].filter((text) => text !== false);
    const others = exceptions.length === 0 ? '' : ` (${exceptions.join(', ')})`;
    this.#show(share, `read ${read} of ${items}${others}`, seconds_left);
  }

  written(days: number, allDays: number): void {
    const now = this.#clock.monotonic();
    this.#first ??= { at: now, days };
    const { at, days: firstDays } = this.#first;
    const seconds = (now - at) / 1000;
    const left = days === firstDays ? undefined : (seconds / (days - firstDays)) * (allDays - days);
    this.#show(days / Math.max(1, allDays), `wrote ${days} of ${allDays} days`, left);
  }

  /** Moves below the last bar. */
  end(): void {
    if (this.#isBarShown) this.#output.write('\n');
    this.#isBarShown = false;
  }

  #show(share: number, text: string, secondsLeft: number | undefined): void {
    const left =
      secondsLeft === undefined || share >= 1 ? '' : `, ${humanizeDuration(secondsLeft)} left`;
    const line = `${text}${left}`;
    if (this.#output.isTTY === true) {
      const filled = Math.round(Math.min(1, share) * barWidth);
      const bar = '#'.repeat(filled) + '.'.repeat(barWidth - filled);
      this.#output.write(`\r[${bar}] ${line}\u001b[K`);
      this.#isBarShown = true;
      return;
    }
    const now = this.#clock.monotonic();
    if (now - this.#shownAt < lineMilliseconds && share < 1) return;
    this.#shownAt = now;
    this.#output.write(`${line}\n`);
  }
}
