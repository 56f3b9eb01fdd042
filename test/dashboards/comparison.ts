import { colours } from '../../dashboards/source/colours.ts';
import type { PanelView, Seen } from './panel-view.ts';

export type ColourName = keyof typeof colours;

/** Colours of the dark theme. */
export const plainText = '#ccccdc';

/** Collects the errors of a board. */
export class Comparison {
  readonly wrong: string[] = [];

  same(what: string, shown: unknown, wanted: unknown): void {
    const [is, should] = [JSON.stringify(shown), JSON.stringify(wanted)];
    if (is !== should) this.wrong.push(`${what}: ${is}, not ${should}`);
  }

  near(what: string, shown: number | undefined, wanted: number, tolerance: number): void {
    if (shown !== undefined && Math.abs(shown - wanted) <= tolerance) return;
    this.wrong.push(`${what}: ${shown}, not ${wanted}`);
  }

  /** One of several acceptable values. */
  oneOf(what: string, shown: number | undefined, wanted: readonly number[]): void {
    if (shown === undefined && wanted.length === 0) return;
    if (shown !== undefined && wanted.some((one) => isClose(shown, one))) return;
    this.wrong.push(`${what}: ${shown}, not ${wanted[0]} to ${wanted.at(-1)}`);
  }

  colour(what: string, shown: Seen | undefined, wanted: ColourName): void {
    this.same(`colour of ${what}`, shown?.color, colours[wanted].toLowerCase());
  }

  /**
   * The colour of a cell's text. A healthy value has the colour of plain text, because blue is hard
   * to read on a dark theme.
   */
  cell(what: string, shown: Seen | undefined, wanted: ColourName): void {
    if (wanted === 'good') this.same(`colour of ${what}`, shown?.color, plainText);
    else this.colour(what, shown, wanted);
  }

  holds(what: string, is: boolean): void {
    if (!is) this.wrong.push(what);
  }

  /** The legend names exactly the states that strips show. */
  legend(title: string, { strips, legend }: PanelView): void {
    const states = strips.flatMap(({ spans }) => spans.map(({ text }) => text));
    this.same(`legend of ${title}`, legend.toSorted(), [...new Set(states)].sort());
  }

  /** The figure of a stat: a number within the tolerance, or a grey text. */
  figure(
    title: string,
    { figures }: PanelView,
    wanted:
      | { readonly value: number; readonly tolerance?: number; readonly text?: RegExp }
      | string,
  ): void {
    const [figure] = figures;
    this.same(`${title}, how many figures`, figures.length, 1);
    if (typeof wanted === 'string') {
      this.same(title, figure?.text, wanted);
      this.colour(title, figure, 'neutral');
      return;
    }
    this.near(title, figure?.value, wanted.value, wanted.tolerance ?? 1e-9);
    if (wanted.text) this.holds(`${title}: ${figure?.text}`, wanted.text.test(figure?.text ?? ''));
  }
}

function isClose(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b));
}

/** A duration as a panel shows it. */
export const spanText = /^-?[\d.]+ (ms|s|mins?|hours?|days?|weeks?)$/;
/** Enough decimals to distinguish 99.9 from 99.95. */
export const shareText = /^\d+\.\d{3}%$/;
export const budgetText = /^-?\d+\.\d%$/;

export const budgetColour = (left: number): ColourName =>
  left < 0 ? 'bad' : left < 0.25 ? 'warning' : 'good';
