import type { ComponentChildren } from 'preact';
import { Table } from './format.tsx';

/** The part of Markdown in which the project's documents are written. */
interface MarkdownSection {
  readonly title: string;
  /** As on GitHub, so that a link leads to the same section there and here. */
  readonly anchor: string;
  readonly body: ComponentChildren;
}

/** Renders a document whose sections have headings of the first two levels. */
export function markdownSections(text: string): readonly MarkdownSection[] {
  return text.split(/^##? /m).flatMap((section) => {
    const [title = '', ...lines] = section.split('\n');
    if (title.trim() === '') return [];
    const blocks = lines.join('\n').split(/\n{2,}/);
    const body = blocks
      .filter((block) => block.trim() !== '')
      .map((block) => <Block text={block} />);
    return [{ title, anchor: anchorOf(title), body }];
  });
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

function Block({ text }: { readonly text: string }) {
  const lines = text.replace(/^\n+|\n+$/g, '').split('\n');
  const [first = ''] = lines;
  if (first.startsWith('### ')) {
    const title = first.slice('### '.length);
    return <h3 id={anchorOf(title)}>{inline(title)}</h3>;
  }
  if (first.startsWith('|')) return <TableBlock lines={lines} />;
  if (first.startsWith('- ')) return <ul>{entriesOf(lines, /^- /m)}</ul>;
  if (/^\d+\. /.test(first)) return <ol>{entriesOf(lines, /^\d+\. /m)}</ol>;
  if (first.startsWith('    ')) {
    return <pre>{lines.map((line) => line.slice('    '.length)).join('\n')}</pre>;
  }
  return <p>{inline(lines.join(' '))}</p>;
}

function entriesOf(lines: readonly string[], marker: RegExp): ComponentChildren {
  return lines
    .join('\n')
    .split(marker)
    .flatMap((entry) => {
      const words = entry.replaceAll(/\s+/g, ' ').trim();
      return words === '' ? [] : [<li>{inline(words)}</li>];
    });
}

function TableBlock({ lines }: { readonly lines: readonly string[] }) {
  const [columns = [], , ...rows] = lines.map(cellsOf);
  return (
    <Table label={columns.join(', ')} class="stack" columns={columns}>
      {rows.map((cells) => (
        <tr>
          {cells.map((cell, place) => (
            <td data-label={columns[place]}>{inline(cell)}</td>
          ))}
        </tr>
      ))}
    </Table>
  );
}

/** A vertical bar within a cell is escaped. */
function cellsOf(line: string): readonly string[] {
  const cells = line.trim().split(/(?<!\\)\|/);
  return cells.slice(1, -1).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

const marks =
  /`(?<code>[^`]+)`|\*\*(?<strong>.+?)\*\*|\*(?<em>[^*\s][^*]*)\*|\[(?<words>[^\]]+)\]\((?<to>[^)]+)\)/g;

function inline(text: string): ComponentChildren {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const { 0: whole, index, groups = {} } of text.matchAll(marks)) {
    parts.push(text.slice(end, index), marked(groups));
    end = index + whole.length;
  }
  return [...parts, text.slice(end)];
}

type Marked = Readonly<Record<string, string | undefined>>;

function marked({ code, strong, em, words = '', to = '' }: Marked): ComponentChildren {
  if (code !== undefined) return <code>{code}</code>;
  if (strong !== undefined) return <strong>{inline(strong)}</strong>;
  if (em !== undefined) return <em>{inline(em)}</em>;
  if (to.startsWith('#') || /^https?:/.test(to)) return <a href={to}>{inline(words)}</a>;
  // Other documents are not served.
  return (
    <>
      {inline(words)} (docs/{to.replace(/#.*/, '')})
    </>
  );
}
