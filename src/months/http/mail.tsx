import { type ComponentChildren, Fragment, h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { formatDecimal } from '../../lib/format-number.ts';
import type { MonthReport } from '../report.ts';
import { type Column, columnsFor, type Lines, linesOf } from './columns.ts';
import { hasDays, letterLegend } from './days.tsx';
import { accountTexts, leadText, rangeText } from './lead-text.ts';
import { monthTitle } from './month-titles.ts';
import { outageColumns } from './outage-columns.tsx';
import { rowColumns } from './row-columns.tsx';
import { totalTexts } from './total-words.ts';
import { type ReportScope, shortVerdictText, verdictText } from './verdict-words.ts';

/** Mail programs cut what is larger: at 102 kB, with the headers. Bytes. */
const maxBytes = 88_000;
/** What is left for the checks, however many groups there are. Bytes. */
const checkBytes = 64_000;
const worstChecks = 10;

/** Mail programs keep inline styles only. */
const styles: Readonly<Record<string, string>> = {
  body: 'margin:0;padding:16px;background:#fff;color:#1b1f24;font:14px/1.4 Arial,Helvetica,sans-serif',
  note: 'padding:8px 12px;background:#ffe3d6;color:#8f2d04',
  lead: 'font-size:16px;font-weight:bold',
  rest: 'color:#57606a',
  // A name may be one long word.
  name: 'padding:5px;min-width:8em;word-break:break-word',
  cell: 'padding:5px',
  small: 'font-size:12px;font-weight:normal;color:#57606a',
  badge: 'padding:1px 6px;background:#e3e7ec;color:#1b1f24',
  'badge good': 'padding:1px 6px;background:#d7f5e9;color:#00563f',
  'badge bad': 'padding:1px 6px;background:#ffe3d6;color:#8f2d04',
};

interface MailOptions {
  /** All lines, and the outages, however large that is. */
  readonly isWhole: boolean;
}

/** The report as one HTML file without links, pictures and scripts, in pieces. */
export function* reportMail(
  report: MonthReport,
  scope: ReportScope & MailOptions,
): Iterable<string> {
  const { month, groups, items, outages } = report;
  const { unread, isWhole } = scope;
  const lines = linesOf(report);
  const title = monthTitle(month.name);
  const end = '</body>\n</html>\n';
  const head = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}: ${shortVerdictText(report, scope)}</title>
</head>
<body style="${styles.body}">
${html(<h1>{title}</h1>)}`;
  const room = new Room(isWhole ? Number.POSITIVE_INFINITY : maxBytes - end.length);
  yield room.take(head);
  for (const text of accountTexts(unread, lines.times)) {
    const note = html(<p class="note">{text}</p>);
    if (room.has(note, checkBytes)) yield room.take(note);
  }
  yield room.take(html(<p class="lead">{verdictText(report, scope)}</p>));
  for (const text of totalTexts(report)) {
    const total = html(<p>{text}</p>);
    if (room.has(total, checkBytes)) yield room.take(total);
  }
  yield room.take(
    html(
      <p class="rest">
        {rangeText(report)} {leadText(report)}
      </p>,
    ),
  );
  const most = isWhole ? Number.POSITIVE_INFINITY : worstChecks;
  yield* table('Groups', rowColumns, groups, lines, { room, left: checkBytes });
  yield* table('Checks and transactions', rowColumns, items, lines, { room, most });
  if (items.some((row) => hasDays(row, lines))) {
    yield room.take(html(<p class="rest">{letterLegend()}</p>));
  }
  if (isWhole) yield* table('Outages', outageColumns, outages, lines, { room });
  yield end;
}

/** Counts the bytes of a mail. */
class Room {
  #bytes: number;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Whether there is room for a piece, so that `left` bytes are left for what follows. */
  has(piece: string, left = 0): boolean {
    return this.#bytes - Buffer.byteLength(piece) >= left;
  }

  take(piece: string): string {
    this.#bytes -= Buffer.byteLength(piece);
    return piece;
  }
}

interface TableRoom {
  readonly room: Room;
  /** At most this many rows. */
  readonly most?: number;
  /** The bytes that it leaves for what follows. */
  readonly left?: number;
}

/** For the end of a table, and the line below. Bytes. */
const endBytes = 1_000;

/** On a phone, a table that is too wide is scrolled, so that the text around it keeps its size. */
const tableStart =
  '<div style="overflow-x:auto">\n<table cellspacing="0" style="border-collapse:collapse">\n';
const tableEnd = '</table>\n</div>\n';

const rowStart = '<tr align="left" valign="top" style="border-top:1px solid #d8dee4">';

function* table<T>(
  title: string,
  columns: readonly Column<T>[],
  all: readonly T[],
  lines: Lines,
  { room, most = Number.POSITIVE_INFINITY, left = 0 }: TableRoom,
): Iterable<string> {
  if (all.length === 0) return;
  const rows = most < all.length ? all.slice(0, most) : all;
  const found = columnsFor(columns, rows, lines);
  const shown = found.filter((column) => column.class !== 'days');
  const days = found.find((column) => column.class === 'days');
  const headings = shown.map(({ heading }) => (
    <th scope="col" class="cell">
      {heading}
    </th>
  ));
  yield room.take(`${html(<h2>{title}</h2>)}${tableStart}${rowStart}${html(headings)}</tr>\n`);
  let count = 0;
  for (const row of rows) {
    const cells = shown.map(({ cell }, place) =>
      place === 0 ? (
        <th scope="row" class="name">
          {cell(row, lines)}
        </th>
      ) : (
        <td class="cell">{cell(row, lines)}</td>
      ),
    );
    const piece = `${rowStart}${html(cells)}</tr>\n${wideRow(days?.cell(row, lines), shown.length)}`;
    if (!room.has(piece, left + endBytes)) break;
    yield room.take(piece);
    count += 1;
  }
  yield room.take(tableEnd);
  const more = all.length - count;
  if (more > 0) yield room.take(html(<p class="rest">and {formatDecimal(more)} more</p>));
}

/** The days are as wide as the other columns together, so they are below them. */
function wideRow(children: ComponentChildren, columns: number): string {
  return children
    ? html(
        <tr>
          <td colspan={columns} class="cell">
            {children}
          </td>
        </tr>,
      )
    : '';
}

/** Renders with inline styles instead of classes. Texts are escaped, so that no tag is in them. */
function html(children: ComponentChildren): string {
  const text = renderToString(h(Fragment, null, children))
    .replaceAll(/<(\w+)([^>]*?) class="([^"]*)"/g, (_, tag, others, name) => {
      const style = styles[name];
      return `<${tag}${others}${style === undefined ? '' : ` style="${style}"`}`;
    })
    .replaceAll(
      /(<t[dh][^>]*>)?<small>/g,
      (_, cell = '<br>') => `${cell}<small style="${styles.small}">`,
    );
  return `${inLines(breakable(text))}\n`;
}

/**
 * Some programs break no word, and show a table as wide as its longest one. Texts have no `<` but
 * those of tags, and other scripts than ASCII are broken by other rules.
 */
function breakable(html: string): string {
  return html.replaceAll(/<[^>]*>|(?:&\w+;|[!-%'-;=-~]){24}(?=[!-;=-~])/g, (part) =>
    part.startsWith('<') ? part : `${part}<wbr>`,
  );
}

/** Mail servers may refuse a line of more than 998 bytes. */
const longestLine = 998;

function inLines(text: string): string {
  return (
    text
      // Not within a word.
      .replaceAll(/[^\n]{100}(?:[^\n <]|<wbr>)*(?= |<(?!wbr>))/g, '$&\n')
      .split('\n')
      .map((line) =>
        // A name of signs that are escaped.
        Buffer.byteLength(line) > longestLine ? line.replaceAll(/.{600}[^&]*(?=&)/g, '$&\n') : line,
      )
      .join('\n')
  );
}
