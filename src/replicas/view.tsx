import { displayText, Moment, Name, Table } from '../http/common/format.tsx';
import type { ReplicasView, SharedAccountView } from '../http/ports.ts';

/** Lists who owns which account, for each account that several replicas share. */
export function replicasSection({ replica, isDatabaseUp, accounts }: ReplicasView) {
  return (
    <section aria-labelledby="replicas">
      <h2 id="replicas">
        Replicas {!isDatabaseUp && <span class="badge bad">database does not answer</span>}
      </h2>
      <div data-live="replicas">
        <p class="rest">
          This is {displayText(replica)}. Each account is read and served by one replica; its data
          are on the page of that replica.
        </p>
        <Table label="Owners of accounts" class="stack" columns={['Account', 'Owner', 'Since']}>
          {accounts.map((account) => (
            <Row account={account} isDatabaseUp={isDatabaseUp} />
          ))}
        </Table>
      </div>
    </section>
  );
}

interface RowProps {
  readonly account: SharedAccountView;
  readonly isDatabaseUp: boolean;
}

function Row({ account, isDatabaseUp }: RowProps) {
  const { sinceSeconds } = account;
  return (
    <tr>
      <th scope="row">
        <Name text={account.account} />
      </th>
      <td data-label="Owner">
        {isDatabaseUp || account.isHeld ? <Owner account={account} /> : 'not known'}
      </td>
      <td data-label="Since">{sinceSeconds !== undefined && <Moment at={sinceSeconds} />}</td>
    </tr>
  );
}

function Owner({ account }: Pick<RowProps, 'account'>) {
  const { isHeld, holder, url } = account;
  if (isHeld) return <>this replica</>;
  if (holder === undefined) return <>nobody</>;
  const name = displayText(holder);
  return url === undefined ? name : <a href={url}>{name}</a>;
}
