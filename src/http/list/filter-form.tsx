import type { Site } from '../common/layout.tsx';
import { type ItemQuery, pageSizes, stateFilters } from '../common/list-query.ts';
import { maxOfferedTags } from '../common/offered-tags.ts';
import { stateWord } from '../common/state-badge.tsx';

interface FilterFormProps {
  readonly site: Site;
  readonly query: ItemQuery;
  readonly tags: readonly string[];
  readonly accounts: readonly string[];
}

/** A form that works without scripts: the server responds with the filtered page. */
export function FilterForm({ site, query, tags, accounts }: FilterFormProps) {
  const stateNames = stateFilters.map((state) => [
    state,
    state === 'problem'
      ? 'Any problem'
      : state === 'maintenance'
        ? 'In maintenance'
        : stateWord(state),
  ]);
  const shownTags = withChosen(query.tag, tags);
  const shownAccounts = withChosen(query.account, accounts);
  return (
    <search>
      <form class="filters" action={site.root} method="get" data-filters>
        <label>
          Search
          <input
            type="search"
            name="q"
            id="search"
            value={query.search}
            placeholder="name, host, tag or id"
            maxLength={200}
            autoComplete="off"
          />
        </label>
        <Choice
          label="State"
          name="state"
          chosen={query.state ?? ''}
          options={[['', 'All'], ...stateNames]}
        />
        {shownTags.length > 0 && (
          <Choice
            label={tags.length < maxOfferedTags ? 'Tag' : `Tag (${maxOfferedTags} most common)`}
            name="tag"
            chosen={query.tag}
            options={[['', 'All'], ...shownTags.map((tag) => [tag, tag])]}
          />
        )}
        {(accounts.length > 1 || query.account !== '') && (
          <Choice
            label="Account"
            name="account"
            chosen={query.account}
            options={[['', 'All'], ...shownAccounts.map((account) => [account, account])]}
          />
        )}
        <Choice
          label="Rows"
          name="size"
          chosen={`${query.size}`}
          options={pageSizes.map((size) => [`${size}`, `${size}`])}
        />
        {query.group !== '' && <input type="hidden" name="group" value={query.group} />}
        {query.sort !== 'state' && <input type="hidden" name="sort" value={query.sort} />}
        {query.descending && <input type="hidden" name="order" value="desc" />}
        {query.range !== '24h' && <input type="hidden" name="window" value={query.range} />}
        <button type="submit">Show</button>
      </form>
    </search>
  );
}

/** A choice of an old bookmark may no longer be offered. */
export function withChosen(chosen: string, offered: readonly string[]): readonly string[] {
  return chosen === '' || offered.includes(chosen) ? offered : [chosen, ...offered];
}

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  readonly chosen: string;
  readonly options: readonly (readonly string[])[];
}

/** A list of values and their names, of which one is chosen. */
export function Choice({ label, name, chosen, options }: ChoiceProps) {
  return (
    <label>
      {label}
      <select name={name} id={`filter-${name}`}>
        {options.map(([value = '', words = value]) => (
          <option value={value} selected={value === chosen}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
