import type { CheckDetail } from '../../domain/check-detail.ts';
import type { Reader } from '../reader.ts';
import { decodeCheckDetail } from '../wire/check-detail.ts';
import { legible, objectIn } from '../wire/envelope.ts';

const operation = 'get_check';

/** One check with its settings (API 3.1, section 4.1). Version 2.0 does not know `include_teams`. */
export async function getCheck(
  reader: Reader,
  { checkId }: { readonly checkId: number },
  signal: AbortSignal,
  parameters: Readonly<Record<string, boolean>> = { include_teams: true },
): Promise<CheckDetail> {
  const path = `checks/${checkId}`;
  const reply = await reader.get({ operation, path, query: parameters, signal });
  const check = objectIn(reply, 'check', operation);
  return legible(decodeCheckDetail(check), 'check', operation);
}
