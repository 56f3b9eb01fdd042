import { formatDecimal } from '../../lib/format-number.ts';

interface PagerProps {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  readonly href: (page: number) => string;
  /** What the pages before and after have. */
  readonly before: string;
  readonly after: string;
}

/** Links to the pages before and after this one; nothing if it is the only one. */
export function Pager({ page, pages, href, before, after }: PagerProps) {
  if (pages <= 1) return null;
  return (
    <nav aria-label="Pages" class="pager">
      <ul>
        {page > 1 && (
          <li>
            <a href={href(page - 1)} rel="prev">
              {before}
            </a>
          </li>
        )}
        <li>
          page {formatDecimal(page)} of {formatDecimal(pages)}
        </li>
        {page < pages && (
          <li>
            <a href={href(page + 1)} rel="next">
              {after}
            </a>
          </li>
        )}
      </ul>
    </nav>
  );
}

/** Cuts a page from a list. A number past the end, or none, gives the last page, or the first. */
export function pageOf<T>(
  all: readonly T[],
  wanted: string | null,
  size: number,
): { readonly shown: readonly T[]; readonly page: number; readonly pages: number } {
  const pages = Math.max(1, Math.ceil(all.length / size));
  const page = Math.min(pages, Math.max(1, Math.floor(Number(wanted)) || 1));
  return { shown: all.slice((page - 1) * size, page * size), page, pages };
}
