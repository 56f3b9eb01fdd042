import { apiVersions } from '../../domain/api-version.ts';
import type { Operation } from '../operation.ts';
import { countries, dateTimeFormats, numberFormats, regions, timeZones } from './reference-data.ts';

/** `GET /reference` (API 3.1, sections 2.7 and 4.3; legacy versions, sections 2.5 and 4.5). */
export const readReference: Operation = {
  name: 'reference',
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
