import { z } from 'zod';
import { boards } from '../support/boards.ts';
import type { Grafana } from './grafana.ts';
import {
  type PanelJson,
  type PanelView,
  panelSchema,
  rangeOf,
  stepOfPanel,
  viewOf,
} from './panel-view.ts';
import type { PrometheusSource } from './prometheus-source.ts';
import { Choices, type Range, variableList } from './variables.ts';

const boardSchema = z.looseObject({
  templating: z.object({ list: variableList }),
  panels: z.array(z.looseObject({ type: z.string() })),
});
export type BoardJson = z.infer<typeof boardSchema>;

/** The dashboard as Grafana imports it. */
export function boardOf(uid: string): BoardJson {
  const found = boards.find(({ board }) => board.uid === uid);
  if (found === undefined) throw new Error(`no dashboard is called ${uid}`);
  return parsedBoard(found.json);
}

export const parsedBoard = (json: string): BoardJson => boardSchema.parse(JSON.parse(json));

const rowSchema = z.object({ panels: z.array(z.looseObject({ type: z.string() })) });

/** All panels, including those of closed rows. */
export const panelsOf = ({ panels }: BoardJson): PanelJson[] =>
  panels.flatMap((panel) =>
    panel.type === 'row'
      ? rowSchema.parse(panel).panels.map((one) => panelSchema.parse(one))
      : [panelSchema.parse(panel)],
  );

/** The times of the first and of the last scrape that Prometheus has, in milliseconds. */
export interface Scrapes {
  readonly first: number;
  readonly last: number;
}

export interface Opening {
  readonly grafana: Grafana;
  readonly source: PrometheusSource;
  readonly scrapeSeconds: number;
  readonly range: Range;
  readonly scrapes: Scrapes;
  readonly chosen?: Readonly<Record<string, readonly string[]>>;
  readonly theme?: 'light' | 'dark';
}

/** A dashboard in a browser: its panels by title, rendered on request. */
export class OpenedBoard {
  readonly panels: readonly PanelJson[];
  readonly choices: Choices;
  readonly #opening: Opening;
  readonly #unseen: Set<string>;

  private constructor(board: BoardJson, choices: Choices, opening: Opening) {
    this.panels = panelsOf(board);
    this.choices = choices;
    this.#opening = opening;
    this.#unseen = new Set(this.panels.map(({ title }) => title));
  }

  static async open(board: BoardJson, opening: Opening): Promise<OpenedBoard> {
    const { chosen = {}, source, range } = opening;
    const choices = await Choices.of(board.templating.list, chosen, source, range);
    return new OpenedBoard(board, choices, opening);
  }

  get range(): Range {
    return this.#opening.range;
  }

  get scrapes(): Scrapes {
    return this.#opening.scrapes;
  }

  /** The content of the panel with the title. */
  async see(title: string): Promise<PanelView> {
    this.#unseen.delete(title);
    return viewOf(this.#panel(title), { ...this.#opening, choices: this.choices });
  }

  /** The titles of the panels that were not examined. */
  get unseen(): readonly string[] {
    return [...this.#unseen];
  }

  /**
   * The times, in milliseconds, of the panel's points for which Prometheus can have data: multiples
   * of its step.
   */
  times(title: string): number[] {
    const range = rangeOf(this.#panel(title), this.#opening);
    const step = 1000 * this.stepSeconds(title);
    const first = Math.ceil(Math.max(range.from, this.#opening.scrapes.first) / step) * step;
    const times: number[] = [];
    for (let at = first; at <= range.to; at += step) times.push(at);
    return times;
  }

  /** The time between two points of the panel. */
  stepSeconds(title: string): number {
    const panel = this.#panel(title);
    return stepOfPanel(panel, { ...this.#opening, range: rangeOf(panel, this.#opening) });
  }

  #panel(title: string): PanelJson {
    const panel = this.panels.find((one) => one.title === title);
    if (panel === undefined) throw new Error(`no panel is called "${title}"`);
    return panel;
  }
}
