import type { Exposition } from '../exposition/exposition.ts';
import type { MetricsSource } from '../exposition/formats.ts';
import type { PageSelection } from '../exposition/page/selection.ts';
import type { LargePage } from '../http/ports.ts';
import { Coalescer, type CoalescerOptions } from '../lib/coalescer.ts';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import type { Log } from '../lib/log.ts';
import type { Workload } from '../lib/workload.ts';
import type { AccountSnapshot } from '../state/snapshot.ts';
import type { Accounts } from './accounts.ts';

interface ShownPageOptions {
  readonly exposition: Pick<Exposition, 'show' | 'read'>;
  readonly accounts: () => Pick<
    Accounts,
    'areShared' | 'names' | 'removedSnapshots' | 'shown' | 'showsRemoved'
  >;
  /** The time between two renderings. The first change after an idle time is shown at once. */
  readonly pace: CoalescerOptions;
  readonly log: Log;
  /** Called with the number of checks of all accounts once they are rendered. */
  readonly workload: Workload | undefined;
}

/** A lease may end during a rendering. */
const renderingAttempts = 5;

/** The default of `-promscrape.maxScrapeSize` of VictoriaMetrics and vmagent: plain text. */
const victoriaMetricsLimitBytes = 16 * 2 ** 20;

/** The page of the accounts that this process may serve. */
export class ShownPage {
  readonly #options: ShownPageOptions;
  readonly #coalescer: Coalescer;
  /** The accounts on the page. */
  #shown: readonly string[] = [];
  #large: LargePage | undefined;

  constructor(options: ShownPageOptions) {
    this.#options = options;
    this.#coalescer = new Coalescer(() => this.#render(), options.pace);
  }

  /** Renders the page soon. */
  ask(): void {
    this.#coalescer.ask();
  }

  /** Resolves when the page shows what is known now. */
  async showNow(): Promise<void> {
    this.#coalescer.ask();
    await this.#coalescer.flush();
  }

  async stop(): Promise<void> {
    await this.#coalescer.stop();
  }

  async #render(): Promise<void> {
    const { accounts, exposition, log } = this.#options;
    try {
      const { shown } = accounts();
      for (const { state } of shown) {
        while (state.prepareSnapshot()) await yieldToEventLoop();
      }
      const snapshots = this.#snapshots();
      const { bytes } = await exposition.show(snapshots);
      this.#options.workload?.showing(shown.reduce((sum, { state }) => sum + state.checks.size, 0));
      this.#shown = snapshots.map(({ account }) => account);
      this.#noteSize(bytes.identity);
    } catch (error) {
      log.error({ error }, 'page rendering failed');
    }
  }

  #noteSize(bytes: number): void {
    const limitBytes = victoriaMetricsLimitBytes;
    const isLarge = bytes > limitBytes;
    if (isLarge && this.#large === undefined) {
      const limits = { bytes, limit_bytes: limitBytes };
      this.#options.log.info(limits, 'page is larger than VictoriaMetrics reads by default');
    }
    this.#large = isLarge ? { bytes, limitBytes } : undefined;
  }

  /** Undefined while every scraper reads the page with its default limits. */
  get large(): LargePage | undefined {
    return this.#large;
  }

  /**
   * The data of scrapes. Every response is checked: the prepared page may have an account that this
   * process may no longer serve. The page is then rendered without it.
   */
  get source(): MetricsSource {
    const { exposition } = this.#options;
    return {
      read: async (format, encoding, selection) => {
        for (let attempt = 1; attempt <= renderingAttempts; attempt++) {
          const exposed = await exposition.read(format, encoding, this.#here(selection));
          if (this.#mayBeServed) return exposed;
          await this.showNow();
        }
        throw new Error('the page has accounts that this process may no longer serve');
      },
    };
  }

  /** An account that another replica serves has no series here, but naming it is no mistake. */
  #here(selection: PageSelection = {}): PageSelection {
    const { accounts: selected } = selection;
    const { areShared, names } = this.#options.accounts();
    if (!areShared || selected === undefined) return selection;
    const elsewhere = new Set(names.filter((name) => !this.#shown.includes(name)));
    const accounts = new Set([...selected].filter((name) => !elsewhere.has(name)));
    return { ...selection, accounts };
  }

  get #mayBeServed(): boolean {
    const accounts = this.#options.accounts();
    if (!accounts.areShared) return true;
    const served = new Set(accounts.shown.map(({ name }) => name));
    const configured = new Set(accounts.names);
    return this.#shown.every(
      (name) => served.has(name) || (!configured.has(name) && accounts.showsRemoved),
    );
  }

  #snapshots(): readonly AccountSnapshot[] {
    const accounts = this.#options.accounts();
    const current = accounts.shown.map(({ state }) => state.snapshot());
    return [...current, ...accounts.removedSnapshots()];
  }
}
