import type { Contact } from '../../../domain/contact.ts';
import type { Reader } from '../../reader.ts';
import type { Listing } from '../../service.ts';
import { arrayIn } from '../../wire/envelope.ts';
import { decodeList } from '../../wire/keyed-list.ts';
import { userList } from '../../wire/legacy/user.ts';

const operation = 'list_contacts';

/** All users of version 2.1, which are its contacts (API 2.1, section 4.4). Rejects with an `ApiError`. */
export async function listUsers(reader: Reader, signal: AbortSignal): Promise<Listing<Contact>> {
  const reply = await reader.get({ operation, path: 'users', signal });
  const entries = arrayIn(reply, userList.field, operation);
  return decodeList(entries, { operation, ...userList });
}
