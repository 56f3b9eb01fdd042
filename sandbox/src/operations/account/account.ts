import {
  countries,
  dateTimeFormats,
  numberFormats,
  regions,
  timeZones,
} from '../../account/account-settings.ts';
import { apiVersions } from '../../vocabulary.ts';
import type { Operation } from '../operation.ts';

/** `GET /credits` (API 3.1, sections 2.4 and 4.1). */
const readCredits: Operation = {
  name: 'get_credits',
  summary: 'read the limits and the remaining credits of the plan',
  method: 'get',
  path: '/credits',
  versions: apiVersions,
  parameters: [],
  body: 'none',
  run(_inputs, { world, version }) {
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
};

/** `GET /reference` (API 3.1, sections 2.7 and 4.3; legacy versions, sections 2.5 and 4.5). */
const readReference: Operation = {
  name: 'get_reference',
  summary: 'read what identifiers of regions, time zones, formats and countries mean',
  method: 'get',
  path: '/reference',
  versions: apiVersions,
  parameters: [],
  body: 'none',
  run(_inputs, { version }) {
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
};

/** `GET /servertime` (legacy versions, section 4.5). */
const readServerTime: Operation = {
  name: 'get_server_time',
  summary: 'read the time of the service',
  method: 'get',
  path: '/servertime',
  versions: ['2.0', '2.1'],
  parameters: [],
  body: 'none',
  run: (_inputs, { now }) => ({ servertime: now }),
};

/** Operations about the whole account, and those with the same response for every account. */
export const accountOperations: readonly Operation[] = [readCredits, readReference, readServerTime];
