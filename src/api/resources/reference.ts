import { z } from 'zod';
import type { Country, PhoneCode, Reference, ReferenceItem } from '../../domain/account.ts';
import { arrayIn, isObject } from '../decoding/envelope.ts';
import { identifier } from '../decoding/fields.ts';
import {
  byId,
  decodeList,
  type KeyedListOptions,
  positiveInteger,
} from '../decoding/keyed-list.ts';
import { ApiError } from '../errors.ts';
import type { Reader } from '../reader.ts';
import type { Decoded, RejectedEntry } from '../service.ts';

type Form<T> = Omit<KeyedListOptions<T>, 'operation' | 'field'>;

const words = z
  .string()
  .min(1)
  .transform((text) => text.toWellFormed());
const dialled = z.union([z.number().transform(String), words]);

/** API 3.1, section 2.7. */
const wireItem = z.object({ id: identifier, description: words });
const wireCountry = z.object({ id: identifier, iso: words, name: words });
const wirePhoneCode = z
  .object({ countryid: identifier, name: words, phonecode: dialled })
  .transform(({ countryid, name, phonecode }) => ({ countryId: countryid, name, code: phonecode }));

const items: Form<ReferenceItem> = {
  decode: (entry) => wireItem.safeParse(entry).data,
  ...byId,
  needs: { ...byId.needs, description: 'a text' },
};
const countries: Form<Country> = {
  decode: (entry) => wireCountry.safeParse(entry).data,
  ...byId,
  needs: { ...byId.needs, iso: 'a text', name: 'a text' },
};
const phoneCodes: Form<PhoneCode> = {
  decode: (entry) => wirePhoneCode.safeParse(entry).data,
  needs: { countryid: positiveInteger, name: 'a text', phonecode: 'digits' },
  keyOf: ({ countryId, code }) => `${countryId} ${code}`,
};

const fields = [
  'regions',
  'timezones',
  'datetimeformats',
  'numberformats',
  'countries',
  'phonecodes',
] as const;

/** The arrays of a reply. Fails with reason `shape`, also when there is none of them. */
function decodeReference(reply: unknown, operation: string): Decoded<Reference> {
  if (!isObject(reply) || !fields.some((field) => Array.isArray(reply[field]))) {
    const message = 'the reply has none of the arrays of reference data';
    throw new ApiError({ reason: 'shape', operation, message });
  }
  const rejected: RejectedEntry[] = [];
  const read = <T>(field: (typeof fields)[number], form: Form<T>): readonly T[] => {
    const entries = (reply[field] ?? null) === null ? [] : arrayIn(reply, field, operation);
    const listing = decodeList(entries, { operation, field, ...form });
    rejected.push(...listing.rejected);
    return listing.items;
  };
  const value: Reference = {
    regions: read('regions', items),
    timezones: read('timezones', items),
    dateTimeFormats: read('datetimeformats', items),
    numberFormats: read('numberformats', items),
    countries: read('countries', countries),
    phoneCodes: read('phonecodes', phoneCodes),
  };
  return { value, rejected };
}

const operation = 'get_reference';

/** API 3.1, section 4.3. */
export async function getReference(
  reader: Reader,
  signal: AbortSignal,
): Promise<Decoded<Reference>> {
  return decodeReference(await reader.get({ operation, path: 'reference', signal }), operation);
}
