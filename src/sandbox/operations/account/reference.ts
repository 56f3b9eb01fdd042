import { apiVersions } from '../../../domain/version.ts';
import {
  countries,
  dateTimeFormats,
  numberFormats,
  regions,
  timeZones,
} from '../../account/reference-data.ts';
import type { Operation } from '../operation.ts';

/** `GET /reference` (API 3.1, sections 2.7 and 4.3; legacy versions, sections 2.5 and 4.5). */
export const readReference: Operation = {
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
export const readServerTime: Operation = {
  name: 'get_server_time',
  summary: 'read the time of the service',
  method: 'get',
  path: '/servertime',
  versions: ['2.0', '2.1'],
  parameters: [],
  body: 'none',
  run: (_inputs, { now }) => ({ servertime: now }),
};
