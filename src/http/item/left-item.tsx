import type { LeaveReason, LeftItem } from '../../state/items/removed-items.ts';
import { displayText, Moment, Name, WholeName } from '../common/format.tsx';
import type { ShownKind } from '../common/items.ts';
import { renderView, type Site } from '../common/layout.tsx';

const reasons: { readonly [R in LeaveReason]: string } = {
  list: 'The service no longer lists it: it was deleted, or the credentials belong to another account.',
  filter: 'The configuration excludes it.',
  dataset: 'The configuration no longer reads transactions.',
  account: 'The configuration no longer has its account.',
};

interface LeftItemProps {
  readonly kind: ShownKind;
  readonly account: string;
  readonly item: LeftItem;
}

/** Renders the view of a check or transaction that was removed within the last day. */
export function leftItemView(site: Site, { kind, account, item }: LeftItemProps): string {
  const { name, atSeconds, why, wasDown } = item;
  return renderView({
    site,
    title: `(removed) ${displayText(name)} · uptime-exporter`,
    children: (
      <>
        <nav aria-label="Breadcrumb">
          <a href={site.root}>All checks and transactions</a>
        </nav>
        <section aria-labelledby="item">
          <h1 id="item">
            <WholeName text={name} />
          </h1>
          <p class="lead">
            Removed at <Moment at={atSeconds} toTheMinute />
            {wasDown && <strong> while down</strong>}
          </p>
          <p>{reasons[why]}</p>
          {wasDown && <p>Its alert is resolved, although nobody has seen it up.</p>}
          <p class="rest">
            {kind} in account <Name text={account} />
          </p>
        </section>
      </>
    ),
  });
}
