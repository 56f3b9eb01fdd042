import { humanizeDuration } from '../../lib/format-duration.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { formatRatio, Moment, Table } from './format.tsx';
import {
  type BarDegree,
  type BarLook,
  barLook,
  describeBar,
  describeBars,
  isLittleKnown,
  type PastBar,
  shownSeconds,
} from './past-bars.ts';
import type { ShownRange } from './shown-range.ts';

const height = 24;

/** What is partly down is higher, the longer it was. The style sheet has the same line widths. */
const heights = {
  up: 20,
  rest: 20,
  paused: 5,
  none: 3,
  slight: 5,
  partial: 10,
  heavy: 15,
  raised: 18,
  whole: height,
} as const;

/** A part of a bar, from the bottom up. `rest` is the time up, behind what was not. */
type Layer = 'up' | 'rest' | 'paused' | 'none' | `${'down' | 'excused' | 'unknown'} ${BarDegree}`;

function layersOf(look: BarLook): Layer[] {
  if (typeof look === 'string') return [look];
  const layers = look.map(({ shows, degree }): Layer => `${shows} ${degree}`);
  return look.at(-1)?.degree === 'whole' ? layers : ['rest', ...layers];
}

function heightOf(layer: Layer): number {
  return heights[layer.split(' ').at(-1) as keyof typeof heights];
}

/** The rest is behind everything. */
function drawingHeight(layer: Layer): number {
  return layer === 'rest' ? Number.POSITIVE_INFINITY : heightOf(layer);
}

interface StripProps {
  readonly bars: readonly PastBar[];
  readonly label: string;
  /** The availability in words; undefined if it lacks what the bars show. */
  readonly up: number | undefined;
  /** Whether each bar has a text, which needs no script but makes the page larger. */
  readonly hasTitles?: boolean;
  /** In a group, the share of time that its checks may be down. */
  readonly permitted?: number;
}

/**
 * States over time as bars, and in words for people who cannot see them. A run of equal bars is one
 * dashed line. A script shows the text of the bar under the pointer.
 */
export function Strip({ bars, label, up, hasTitles = false, permitted }: StripProps) {
  return (
    <svg
      class="strip"
      viewBox={`0 0 ${bars.length} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}: ${describeBars(bars, up)}`}
      data-bars={barTexts(bars)}
    >
      <Lines bars={bars.map((bar) => layersOf(barLook(bar, permitted)))} />
      {hasTitles &&
        bars.map((bar, place) => (
          <rect class="hit" x={place} width="1" height={height}>
            <title>
              {momentText(bar.fromSeconds)}: {describeBar(bar)}
            </title>
          </rect>
        ))}
    </svg>
  );
}

/** The bars of a strip that has texts of its own. */
export function Bars({ looks }: { readonly looks: readonly BarLook[] }) {
  return <Lines bars={looks.map(layersOf)} />;
}

export const stripHeight = height;

/** How a day of a month is drawn: the worse, the higher. */
type DayLook = 'none' | 'within' | 'over' | 'far_over' | 'unknown' | 'untested';

const dayHeights = { none: 5, within: 11, over: 17, far_over: height } as const;

interface DayStripProps {
  readonly steps: readonly DayLook[];
  readonly label: string;
}

/** Days as bars, whose height alone says what their colour does. */
export function DayStrip({ steps, label }: DayStripProps) {
  return (
    <svg
      class="strip"
      viewBox={`0 0 ${steps.length} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {[...new Set(steps)].map((step) => {
        if (step === 'untested') return null;
        // What is not known hangs in the middle.
        const size = step === 'unknown' ? 5 : dayHeights[step];
        const top = step === 'unknown' ? height / 2 : height - size / 2;
        const bars = runsOf(steps, step).map(([from, length]) => `M${from} ${top}h${length}`);
        return <path class={`day-${step}`} stroke-width={size} d={bars.join('')} />;
      })}
    </svg>
  );
}

/** Where a step has consecutive days: the first of them, and how many there are. */
function runsOf(
  steps: readonly DayLook[],
  step: DayLook,
): readonly [from: number, length: number][] {
  const runs: [from: number, length: number][] = [];
  for (const [place, one] of steps.entries()) {
    if (one !== step) continue;
    const last = runs.at(-1);
    if (last !== undefined && last[0] + last[1] === place) last[1] += 1;
    else runs.push([place, 1]);
  }
  return runs;
}

interface MonthStripProps {
  /** Whether the objective of each month was met; undefined if nothing of it is known. */
  readonly months: readonly (boolean | undefined)[];
  readonly label: string;
}

/** Months as bars: met, missed, or not known. */
export function MonthStrip({ months, label }: MonthStripProps) {
  const layerOf = (isMet: boolean | undefined): Layer =>
    isMet === undefined ? 'none' : isMet ? 'up' : 'down whole';
  return (
    <svg
      class="strip"
      viewBox={`0 0 ${months.length} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <Lines bars={months.map((isMet) => [layerOf(isMet)])} />
    </svg>
  );
}

function Lines({ bars }: { readonly bars: readonly (readonly Layer[])[] }) {
  return (
    <>
      {[...linesOf(bars)].map(([layer, line]) => (
        <path class={layer} d={line} />
      ))}
    </>
  );
}

/** Returns a line for each layer, the higher ones behind, with length 1 per bar; dashes separate the bars. */
function linesOf(bars: readonly (readonly Layer[])[]): Map<Layer, string> {
  const runs = new Map<Layer, [from: number, to: number][]>();
  for (const [place, layers] of bars.entries()) {
    for (const layer of layers) {
      const stretches = getOrMake(runs, layer, () => []);
      const last = stretches.at(-1);
      if (last?.[1] === place) last[1] = place + 1;
      else stretches.push([place, place + 1]);
    }
  }
  const backFirst = [...runs].sort(([a], [b]) => drawingHeight(b) - drawingHeight(a));
  const lines = backFirst.map(([layer, stretches]) => {
    const start = `M${stretches[0]?.[0]} ${height - heightOf(layer) / 2}`;
    const moves = stretches.map(([from, to], index) => {
      const before = stretches[index - 1];
      return `${before === undefined ? start : `m${from - before[1]} 0`}h${to - from}`;
    });
    return [layer, moves.join('')] as const;
  });
  return new Map(lines);
}

function momentText(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/**
 * The texts of the bars for the script: the start of the first bar in UNIX seconds, the seconds of a
 * bar, and runs of equal bars, as in `1767528000|86400|28 up|1 down 7 min`.
 */
function barTexts(bars: readonly PastBar[]): string {
  const [first] = bars;
  if (first === undefined) return '';
  const runs: { readonly text: string; count: number }[] = [];
  for (const text of bars.map(describeBar)) {
    const last = runs.at(-1);
    if (last?.text === text) last.count += 1;
    else runs.push({ text, count: 1 });
  }
  const lengthSeconds = first.toSeconds - first.fromSeconds;
  const texts = runs.map(({ text, count }) => `${count} ${text}`);
  return [Math.round(first.fromSeconds), lengthSeconds, ...texts].join('|');
}

export function StripEnds({ bars }: { readonly bars: readonly PastBar[] }) {
  const [first] = bars;
  if (first === undefined) return null;
  return (
    <p class="ends">
      <Moment at={first.fromSeconds} toTheMinute />
      <span>now</span>
    </p>
  );
}

type Key = readonly [colour: string, degrees: readonly BarDegree[], label: string];

const partly = ['slight', 'partial', 'heavy'] as const;
const downKeys: readonly Key[] = [
  ['down', partly, 'partly down: below 5 %, 25 %, 90 %'],
  ['down', ['whole'], 'down'],
];
/** Of a group. */
const budgetKeys: readonly Key[] = [
  ['down', partly, 'down: below ¼, 1, 10 daily error budgets'],
  ['down', ['whole'], 'more'],
];
const otherKeys: readonly Key[] = [
  ['excused', ['whole'], 'down in maintenance'],
  ['unknown', ['whole'], 'unknown'],
  ['paused', [], 'not monitored'],
  ['none', [], 'not known yet'],
];

const barLengths: { readonly [W in ShownRange]: string } = {
  '24h': 'half an hour',
  '7d': '6 h',
  '30d': '24 h',
};

interface LegendProps {
  readonly range: ShownRange;
  readonly isOfGroup?: boolean;
}

export function StripLegend({ range, isOfGroup = false }: LegendProps) {
  const keys: readonly Key[] = [
    ['up', [], 'up'],
    ...(isOfGroup ? budgetKeys : downKeys),
    ...otherKeys,
  ];
  return (
    <p class="legend">
      <span class="key">A bar is {barLengths[range]}:</span>
      {keys.map(([colour, degrees, label]) => (
        <span class="key">
          {degrees.length === 0 && <i class={`k-${colour}`} />}
          {degrees.map((degree) => (
            <i class={`k-${colour} ${degree}`} />
          ))}
          {label}
        </span>
      ))}
    </p>
  );
}

/** The strip as a table with a row for each bar. */
export function BarsTable({ bars, label }: { readonly bars: readonly PastBar[]; label: string }) {
  const text = (seconds: number) => (seconds === 0 ? '–' : humanizeDuration(seconds));
  const isAllKnown = bars.every(({ notKnown }) => notKnown < 1);
  const columns = ['From', 'Up', 'Down', 'Down in maintenance', 'Unknown'];
  return (
    <Table label={label} columns={isAllKnown ? columns : [...columns, 'Not known yet']}>
      {bars.toReversed().map((bar) => {
        const { up, down, excused, unknown, notKnown } = shownSeconds(bar);
        return (
          <tr>
            <th scope="row">
              <Moment at={bar.fromSeconds} toTheMinute />
            </th>
            <td>{up + down === 0 || isLittleKnown(bar) ? '–' : formatRatio(up / (up + down))}</td>
            <td>{text(down)}</td>
            <td>{text(excused)}</td>
            <td>{text(unknown)}</td>
            {!isAllKnown && <td>{text(notKnown)}</td>}
          </tr>
        );
      })}
    </Table>
  );
}
