import type { LoggedRequest } from '../../api/request-log.ts';
import { formatDecimal } from '../../lib/format-number.ts';
import { displayText, formatResponse, Moment, Table } from './format.tsx';

interface RequestsProps {
  readonly requests: readonly LoggedRequest[];
  /** Unique on the page. */
  readonly id: string;
}

/** The last requests to the service, with the remaining requests of the windows. */
export function Requests({ requests, id }: RequestsProps) {
  if (requests.length === 0) return null;
  return (
    <details id={id}>
      <summary>Last requests to the API</summary>
      <Table
        label="Last requests to the API"
        class="requests stack"
        columns={['Ended', 'Request', 'Status', 'Took', 'Bytes', 'Left, short', 'Left, long']}
      >
        {requests.map(({ endedAtSeconds, path, code, durationSeconds, responseBytes, left }) => (
          <tr>
            <th scope="row" data-label="Ended">
              <Moment at={endedAtSeconds} />
            </th>
            <td data-label="Request">
              <code>{displayText(path)}</code>
            </td>
            <td data-label="Status">
              {/^2\d\d$/.test(code) ? code : <span class="badge bad">{code}</span>}
            </td>
            <td data-label="Took">{formatResponse(durationSeconds)}</td>
            <td data-label="Bytes">{formatDecimal(responseBytes)}</td>
            <td data-label="Left, short">
              {left.short === undefined ? '–' : formatDecimal(left.short)}
            </td>
            <td data-label="Left, long">
              {left.long === undefined ? '–' : formatDecimal(left.long)}
            </td>
          </tr>
        ))}
      </Table>
    </details>
  );
}
