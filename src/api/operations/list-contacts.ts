import type { Contact } from '../../domain/contact.ts';
import type { Reader } from '../reader.ts';
import type { Listing } from '../service.ts';
import { contactList } from '../wire/contact.ts';
import { arrayIn } from '../wire/envelope.ts';
import { decodeList } from '../wire/keyed-list.ts';

const operation = 'list_contacts';

/** API 3.1, section 4.5. */
export async function listContacts(reader: Reader, signal: AbortSignal): Promise<Listing<Contact>> {
  const reply = await reader.get({ operation, path: 'alerting/contacts', signal });
  return decodeList(arrayIn(reply, contactList.field, operation), { operation, ...contactList });
}
