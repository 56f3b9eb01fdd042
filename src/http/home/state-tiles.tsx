import { formatDecimal } from '../../lib/format-number.ts';
import { countStates, type Item, type ItemState } from '../common/items.ts';
import { hrefTo, type Site } from '../common/layout.tsx';
import { type ItemQuery, itemQueryString } from '../common/list-query.ts';
import { StateIcon, stateWord } from '../common/state-badge.tsx';
import { states } from '../common/urgency.ts';

interface TilesProps {
  readonly site: Site;
  readonly items: readonly Item[];
  readonly query: ItemQuery;
  /** The items of some lists are not shown: that there is none in a state is not known. */
  readonly areHidden: boolean;
}

/** The number of items in each state. Each tile links to them. */
export function StateTiles({ site, items, query, areHidden }: TilesProps) {
  const counts = countStates(items);
  const all = { search: '', tag: '', account: '', group: '' };
  const linked = (state: ItemState) =>
    hrefTo(site, `?${itemQueryString(query, { ...all, state })}#list`);
  return (
    <ul class="tiles">
      {states.map((state) => (
        <li class={counts[state] === 0 ? 'tile none' : 'tile'}>
          <a href={linked(state)}>
            <StateIcon state={state} />
            <b>{areHidden && counts[state] === 0 ? '–' : formatDecimal(counts[state])}</b>{' '}
            <span>{stateWord(state)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
