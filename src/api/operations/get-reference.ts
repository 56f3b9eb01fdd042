import type { Reference } from '../../domain/reference.ts';
import type { Reader } from '../reader.ts';
import type { Legible } from '../service.ts';
import { decodeReference } from '../wire/reference.ts';

const operation = 'get_reference';

/** API 3.1, section 4.3. */
export async function getReference(
  reader: Reader,
  signal: AbortSignal,
): Promise<Legible<Reference>> {
  return decodeReference(await reader.get({ operation, path: 'reference', signal }), operation);
}
