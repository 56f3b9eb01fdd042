import type { ComponentChildren } from 'preact';
import { humanizeDuration } from '../../lib/format-duration.ts';
import { type ZonedTimes, zonedTimes } from '../../lib/zoned-times.ts';

const maxLength = 200;
/** Bounds a text that is shown whole, because the service may be hostile. */
const maxWholeLength = 10_000;

/** Control characters, line breaks, and marks that reverse text; LRM and RLM are allowed. */
const controlCharacters = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** Foreign text for one line of a view: bounded, and without effect on its surroundings. */
export function displayText(text: string): string {
  return cutText(text, maxLength);
}

function cutText(text: string, longest: number): string {
  const clean = text.slice(0, longest + 1).replace(controlCharacters, '\ufffd');
  return clean.length <= longest ? clean : `${clean.slice(0, longest).toWellFormed()}…`;
}

/** A name that shows nothing on which a reader could click. */
const blank = /^[\s\p{Z}\p{Cf}]*$/u;

/** Text from the service. Its direction does not affect the surrounding text. */
export function Name({ text }: { readonly text: string }) {
  return <bdi>{blank.test(text) ? '(blank)' : displayText(text)}</bdi>;
}

/** A name in the view of one item: up to `maxWholeLength` characters. */
export function WholeName({ text }: { readonly text: string }) {
  return <bdi>{blank.test(text) ? '(blank)' : cutText(text, maxWholeLength)}</bdi>;
}

/** An identifier. A narrow column may break it after an underscore. */
export function Identifier({ text }: { readonly text: string }) {
  return displayText(text)
    .split(/(?<=_)/)
    .map((part, place) => (
      <>
        {place > 0 && <wbr />}
        {part}
      </>
    ));
}

const utc = zonedTimes('UTC');

interface MomentProps {
  /** UNIX seconds. */
  readonly at: number;
  readonly toTheMinute?: boolean;
  /** The zone of a document, such as a report. Other moments get the reader's zone from a script. */
  readonly times?: ZonedTimes | undefined;
}

/** A moment, for people and machines. */
export function Moment({ at, toTheMinute = false, times }: MomentProps) {
  return (
    <time dateTime={utc.iso(Math.floor(at))} data-zoned={times && ''}>
      {(times ?? utc).text(at, toTheMinute ? 'minute' : 'second')}
    </time>
  );
}

/** Formats an objective as a percentage, with all of its digits. */
export function formatObjective(ratio: number): string {
  return `${Number((100 * ratio).toPrecision(10))} %`;
}

/** Formats a share from 0 to 1 in percent, rounded down, so that only a whole share is 100 %. */
export function formatRatio(share: number): string {
  return `${(Math.floor(share * 10_000 + 1e-6) / 100).toFixed(2).replace(/\.?0+$/, '')} %`;
}

/** Formats the rest of an error budget in percent, rounded down. */
export function formatShareLeft(left: number): string {
  return left < 0 ? 'overspent' : `${Math.floor(left * 100 + 1e-6)} %`;
}

/** Formats a response time: `87 ms`, `1.24 s`. */
export function formatResponse(seconds: number): string {
  return seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(2)} s`;
}

/** The time since a moment, followed by it. The event was earlier unless `isExact`. */
export function Ago({
  at,
  now,
  isExact = true,
}: {
  readonly at: number;
  readonly now: number;
  readonly isExact?: boolean;
}) {
  return (
    <>
      {isExact ? '' : 'more than '}
      {humanizeDuration(now - at)} ago{' '}
      <small>
        {isExact ? '' : 'before '}
        <Moment at={at} toTheMinute />
      </small>
    </>
  );
}

/** A name and its value in a `<dl>`. */
export function Fact({ name, children }: { readonly name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface TableProps {
  readonly label: string;
  readonly class?: string;
  readonly columns: readonly string[];
  readonly children: ComponentChildren;
}

export function Table({ label, class: name, columns, children }: TableProps) {
  return (
    <table class={name} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col">{column}</th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
