import { expect } from 'vitest';
import { statusTime } from '../../sandbox/src/operations/checks/checks.ts';
import type { JournalEntry } from '../../sandbox/src/server/request-journal.ts';
import { hashUnit } from '../../src/lib/random.ts';
import {
  catchUp,
  expectCountedTruth,
  expectWholeTruth,
  type Looks,
} from '../support/counted-truth.ts';
import { wrongFacts } from '../support/service-facts.ts';
import { windowVerdict } from '../support/window-truth.ts';
import type { Life, Watcher } from './script.ts';

/** A list. All times are UNIX seconds. */
interface Reading {
  readonly requestedAt: number;
  /** The moment that it shows. */
  readonly shownAt: number;
  /** The earlier moments of checks whose last test is listed before its outcome; keyed by id. */
  readonly statusAt: ReadonlyMap<number, number>;
  readonly durableAt: number;
}

interface CountedCheckerOptions {
  /** The share of the moments at which everything on the page is compared; 0.1 by default. */
  readonly share?: number;
  /** Counters that begin again are compared by their ratios alone. */
  readonly onlyRatios?: boolean;
}

const listWasRead =
  /msg=(?:refreshed|"refresh recovered"|"first refresh succeeded") .*dataset=checks /;
const isList = ({ operation }: JournalEntry) => operation === 'list_checks';

/** Compares counters, ratios and facts of checks and transactions with the service at random moments. */
export class CountedChecker implements Watcher {
  readonly broken: string[] = [];
  /** The number of compared moments. */
  moments = 0;
  /** The number of compared items. */
  compared = 0;
  readonly #life: Life;
  readonly #options: CountedCheckerOptions;
  /** A response may take some time. A list shows the states at the time of its request. */
  #readings: Reading[] = [];
  #draws = 0;

  constructor(life: Life, options: CountedCheckerOptions = {}) {
    this.#life = life;
    this.#options = options;
  }

  get isOver(): boolean {
    return this.broken.length > 0;
  }

  asked(): void {}

  read(): void {}

  ended(): void {}

  maintenanceChanges(): void {}

  logged(line: string): void {
    if (!listWasRead.test(line)) return;
    const { sandbox, now } = this.#life.world;
    const asked = sandbox.journal.recent.findLast(isList);
    const requestedAt = Math.floor((asked?.time ?? Number.NaN) / 1000);
    // A list that lags shows an earlier moment. If it is older than the previous list, it shows
    // nothing new.
    expect(requestedAt, 'the second in which a list was requested').not.toBeNaN();
    const { lags } = sandbox.world;
    const shownAt = lags.asOf('list_checks', 0, requestedAt);
    if (shownAt < (this.#readings.at(-1)?.shownAt ?? 0)) return;
    const late = sandbox.world.checks.flatMap((check) => {
      const at = statusTime(check, sandbox.world, shownAt);
      return at === shownAt ? [] : [[check.id, at] as const];
    });
    this.#readings.push({ requestedAt, shownAt, statusAt: new Map(late), durableAt: now });
  }

  /** A list in the second of the copy may have been read after it. */
  restored(at: number): void {
    this.#readings = this.#readings.filter(({ durableAt }) => durableAt < at);
  }

  async check(): Promise<void> {
    const { share = 0.1 } = this.#options;
    const isCompared = hashUnit(this.#life.seed, 8, this.#draws++) < share;
    const samples = await this.#life.world.scrape();
    if (isCompared) await this.#compare(samples);
  }

  async checkAtEnd(): Promise<void> {
    const { world } = this.#life;
    if (this.#options.onlyRatios) return this.#compare(await world.scrape());
    await this.#attempt(async () => {
      await catchUp(world);
      await expectWholeTruth(world, this.#looks);
    });
  }

  readonly #looks: Looks = (checkId) => {
    const { lags } = this.#life.world.sandbox.world;
    return this.#readings
      .filter(({ requestedAt }) => !lags.isOmitted(checkId, requestedAt))
      .map(({ shownAt, statusAt }) => statusAt.get(checkId) ?? shownAt);
  };

  async #compare(samples: ReadonlyMap<string, number>): Promise<void> {
    const { world } = this.#life;
    this.moments += 1;
    await this.#attempt(async () => {
      const { wrong, compared } = await windowVerdict(world, samples, this.#looks);
      this.compared += compared;
      this.broken.push(...wrong);
      if (this.#options.onlyRatios) return;
      await expectCountedTruth(world, samples, this.#looks);
      this.broken.push(...wrongFacts(world, samples));
    });
  }

  /** An expectation that is not met is a broken promise. */
  async #attempt(compare: () => Promise<void>): Promise<void> {
    try {
      await compare();
    } catch (error) {
      this.broken.push(`at ${this.#life.now}: ${error instanceof Error ? error.message : error}`);
    }
  }
}

/** Every comparison was right, and there were some. */
export function expectCounted({ broken, compared }: CountedChecker): void {
  expect(broken).toEqual([]);
  expect(compared).toBeGreaterThan(0);
}
