import type { Contact } from '../../../domain/contact.ts';
import { readList } from '../../read-list.ts';
import type { Reader } from '../../reader.ts';
import type { Listing } from '../../service.ts';
import { legacyContactList as form } from '../../wire/legacy/contact.ts';

const operation = 'list_contacts';

/** The size of a page by default; a maximum is not documented (API 2.0, section 4.3). */
const limit = 100;

/** All contacts of version 2.0, complete or not at all. Rejects with an `ApiError`. */
export async function listLegacyContacts(
  reader: Reader,
  signal: AbortSignal,
): Promise<Listing<Contact>> {
  return readList({ reader, operation, path: 'contacts', signal, limit, form });
}
