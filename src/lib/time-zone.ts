import { succeeds } from './or-undefined.ts';

/** Whether this is the name of a time zone, such as `Europe/Berlin`. */
export function isTimeZone(zone: string): boolean {
  return succeeds(() => offsetFormat(zone));
}

/** Formats the distance of a time zone from UTC. Throws a `RangeError` for an unknown one. */
export function offsetFormat(timeZone: string) {
  // biome-ignore lint/style/noRestrictedGlobals: nothing else in Node.js knows time zones, and with UTC, the default, nothing calls this.
  return new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
}

const areas =
  'Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe|Indian|Mexico|Pacific|US';
const namesWithoutArea =
  'CET|CST6CDT|Cuba|EET|EST|EST5EDT|Egypt|Eire|GB|GB-Eire|GMT|GMT0|GMT-0|GMT\\+0|Greenwich|HST|Hongkong|Iceland|Iran|Israel|Jamaica|Japan|Kwajalein|Libya|MET|MST|MST7MDT|NZ|NZ-CHAT|Navajo|PRC|PST8PDT|Poland|Portugal|ROC|ROK|Singapore|Turkey|UCT|UTC|Universal|W-SU|WET|Zulu';

/** Matches the names of the time zone database, and others that begin with one of its areas. */
export const timeZonePattern = `^(${namesWithoutArea}|(${areas})/[A-Za-z0-9_+/-]+)$`;
