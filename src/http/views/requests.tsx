import type { LoggedRequest } from '../../api/request-log.ts';
import { displayText, formatDecimal, formatResponse, Moment, TableHead } from './format.tsx';

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
      <table class="requests stack" aria-label="Last requests to the API">
        <TableHead
          columns={['Ended', 'Request', 'Status', 'Took', 'Bytes', 'Left, short', 'Left, long']}
        />
        <tbody>
          {requests.map(({ endedAtSeconds, path, code, durationSeconds, responseBytes, left }) => (
            <tr>
              <th scope="row">
                <Moment at={endedAtSeconds} />
              </th>
              <td>
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
        </tbody>
      </table>
    </details>
  );
}
