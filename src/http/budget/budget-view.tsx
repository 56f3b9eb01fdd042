import { LiveSection, renderView, type Site } from '../common/layout.tsx';
import { AccountNotes, Operators } from '../home/accounts.tsx';
import type { AccountStatus } from '../ports.ts';

/** Renders the requests of each account: budget, datasets, and the last ones. */
export function budgetView(site: Site, accounts: readonly AccountStatus[]): string {
  const { nowSeconds } = site;
  return renderView({
    site,
    title: 'Request budget · uptime-exporter',
    children: (
      <>
        <section aria-labelledby="title">
          <h1 id="title">Request budget</h1>
          <div class="accounts" data-live="accounts">
            {accounts.length === 0 && <p>No account is configured.</p>}
            {accounts.map((status) => (
              <AccountNotes status={status} nowSeconds={nowSeconds} />
            ))}
          </div>
        </section>
        <LiveSection id="operators" title="For operators">
          {accounts.map((status, place) => (
            <Operators {...{ status, nowSeconds }} id={`account-${place + 1}`} isOpen />
          ))}
        </LiveSection>
      </>
    ),
  });
}
