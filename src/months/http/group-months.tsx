import { Name, Table } from '../../http/common/format.tsx';
import { MonthStrip } from '../../http/common/strip.tsx';
import type { Href } from '../../http/ports.ts';
import type { MonthFigures } from '../report-row.ts';
import type { GroupHistory } from './group-history.ts';
import { toneOf, verdictWord } from './verdict-words.ts';
import { formatAvailability } from './words.ts';

interface GroupMonthsProps {
  readonly href: Href;
  readonly history: GroupHistory;
  readonly severalAccounts: boolean;
}

/** Months by group, each with its availability and whether it met the objective. */
export function GroupMonths({ href, history, severalAccounts }: GroupMonthsProps) {
  const { months, groups } = history;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls.
    <section class="scroll" tabIndex={0} aria-label="Months by group">
      <Table
        label="Months by group"
        class="report months"
        columns={['Group', 'Met', ...months.map(({ name }) => name)]}
      >
        {groups.map(({ account, name, cells }) => (
          <tr>
            <th scope="row">
              <Name text={name} />
              {severalAccounts && (
                <small>
                  in <Name text={account} />
                </small>
              )}
            </th>
            <td>
              <Met cells={cells} />
            </td>
            {cells.map((cell, place) => {
              if (cell?.availability === undefined) return <td class="rest">–</td>;
              const month = months[place]?.name ?? '';
              const query = new URLSearchParams({ month, account, group: name });
              return (
                <td>
                  <a href={href(`report?${query}`)}>
                    <span class={`badge ${toneOf(cell.verdict)}`}>
                      {formatAvailability(cell.availability)}
                      <span class="hidden">, {verdictWord(cell.verdict)}</span>
                    </span>
                  </a>
                  {cell.unwatched > 0 && <small>of the known time</small>}
                </td>
              );
            })}
          </tr>
        ))}
      </Table>
    </section>
  );
}

/**
 * Whether a month met its objective or, while it goes on, can still meet it. Undefined if the verdict
 * is of the known rest, or not made.
 */
function isMetSoFar({ availability, verdict }: MonthFigures): boolean | undefined {
  if (availability === undefined) return undefined;
  if (verdict === 'met' || verdict === 'within') return true;
  return verdict === 'missed' || verdict === 'overspent' ? false : undefined;
}

export function Met({ cells }: { readonly cells: readonly (MonthFigures | undefined)[] }) {
  const months = cells.map((cell) => cell && isMetSoFar(cell));
  const known = months.filter((month) => month !== undefined);
  const met = known.filter((month) => month).length;
  return (
    <>
      <MonthStrip months={months} label={`${met} of ${known.length} months met the objective`} />
      <small aria-hidden="true">
        {met} of {known.length}
      </small>
    </>
  );
}
