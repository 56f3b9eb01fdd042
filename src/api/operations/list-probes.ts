import type { Probe } from '../../domain/probe.ts';
import type { Reader } from '../reader.ts';
import type { Listing } from '../service.ts';
import { arrayIn } from '../wire/envelope.ts';
import { decodeList } from '../wire/keyed-list.ts';
import { probeList } from '../wire/probe.ts';

const operation = 'list_probes';

/** Every probe; without a limit the service does not page (API 3.1, section 4.3). */
export async function listProbes(reader: Reader, signal: AbortSignal): Promise<Listing<Probe>> {
  const reply = await reader.get({ operation, path: 'probes', signal });
  return decodeList(arrayIn(reply, probeList.field, operation), { operation, ...probeList });
}
