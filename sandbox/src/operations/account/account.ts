import {
  countries,
  dateTimeFormats,
  numberFormats,
  regions,
  timeZones,
} from '../../account/account-settings.ts';
import type { Operation } from '../operation.ts';
import { operation } from '../table.ts';

/** Operations about the whole account, and those with the same response for every account. */
export const accountOperations: readonly Operation[] = [
  // API 3.1, sections 2.4 and 4.1.
  operation(
    'get_credits',
    'GET /credits',
    'read the limits and the remaining credits of the plan',
    {},
    (_, { world, version }) => {
      const used = world.checks.length;
      const basic = {
        checklimit: world.checkLimit,
        availablechecks: world.checkLimit - used,
        availablesms: 430,
        availablesmstests: 5,
        autofillsms: true,
      };
      if (version === '2.0') return { credits: basic };
      return {
        credits: {
          ...basic,
          useddefault: used,
          usedtransaction: world.transactions.all.length,
          autofillsms_amount: 100,
          autofillsms_when_left: 50,
          max_sms_overage: 25,
          availablerumsites: 4,
          usedrumsites: 1,
          maxrumfilters: 10,
          maxrumpageviews: 100_000,
        },
      };
    },
  ),
  // API 3.1, sections 2.7 and 4.3; legacy versions, sections 2.5 and 4.5.
  operation(
    'get_reference',
    'GET /reference',
    'read what identifiers of regions, time zones, formats and countries mean',
    {},
    (_, { version }) => {
      const isLegacy = version !== '3.1';
      return {
        regions: isLegacy ? regions : regions.map(({ id, description }) => ({ id, description })),
        timezones: timeZones,
        datetimeformats: dateTimeFormats,
        numberformats: numberFormats,
        countries: countries.map(({ id, iso, name }) => ({ id, iso, name })),
        phonecodes: countries.map(({ id, iso, name, phonecode }) => {
          const entry = { countryid: id, name, phonecode };
          return isLegacy ? entry : { ...entry, iso };
        }),
      };
    },
  ),
  // Legacy versions, section 4.5.
  operation(
    'get_server_time',
    '2.0,2.1 GET /servertime',
    'read the time of the service',
    {},
    (_, { now }) => ({ servertime: now }),
  ),
];
