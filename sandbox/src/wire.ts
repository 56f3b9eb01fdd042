import { hashUnit } from './lib/hash.ts';
import { type Freedom, seconds, secondsRange, share, word, zone } from './wire-values.ts';

/**
 * The wire: where the documents are silent about a response, or recorded responses differ from
 * them, the sandbox may respond in several ways. Each such freedom is a row of `freedoms`.
 */

/** A late test and its repetition come before the next test, a minute later. */
const mostTestSeconds = 25;

/** Every freedom by name. */
export const freedoms = {
  reportsEnd: {
    ...word(
      'where reports of states and hours end: with the last test or the beginning of a pause, seconds to one interval of tests before now, or now',
      ['last-test', 'before-now', 'now'],
      { documented: 'now' },
    ),
    source:
      'Recorded status reports of transactions end with the last run; the documents do not say.',
  },
  reportsBegin: {
    ...word(
      'where reports of states begin: at the start of the period, or with the first test in it',
      ['period', 'first-test'],
    ),
    source:
      'Recorded status reports of transactions end with the last run, so they may begin with the first one; the documents do not say.',
  },
  reportedStates: {
    ...word('whether the states of a report are cut at the start of its period, or whole', [
      'cut',
      'whole',
    ]),
    source: 'The documents do not say whether a state that began before the period is cut.',
  },
  reportLagSeconds: {
    ...secondsRange('how far reports and raw results are behind the present', [
      '0',
      '60',
      '600',
      '0-300',
      '0-900',
    ]),
    source:
      'Users report that reads after writes are not consistent; reports come minutes after lists.',
  },
  listLagSeconds: {
    ...secondsRange('how far lists are behind the present', ['0', '0-30']),
    source: 'Lists come from copies as well.',
  },
  lateResultSeconds: {
    ...seconds(
      'a tenth of the raw results is listed later than its neighbours, by up to so many seconds',
      0,
      [0, 900],
    ),
    source: 'Probes deliver their results one by one.',
  },
  lateTestSeconds: {
    ...seconds(
      'the checks and transactions of a new account are tested up to so many seconds after a test is due',
      0,
      [0, 0, 5, 13],
      mostTestSeconds,
    ),
    source: 'The documents have the time between two tests, but not how exactly it is kept.',
  },
  confirmationSeconds: {
    ...seconds(
      'the checks of a new account are tested again so many seconds after a first failed test; 0: the next test confirms it',
      0,
      [0, 0, 5, 20],
      mostTestSeconds,
    ),
    source:
      'Analyses have the time of the test that confirms an outage; the documents do not say which test that is.',
  },
  lateStatusSeconds: {
    ...seconds(
      'lists show the time of a test up to so many seconds before its outcome',
      0,
      [0, 40],
    ),
    source: 'A test is listed as unconfirmed until other probes have repeated it.',
  },
  missedOutages: {
    ...share(
      'the share of outage reports that lack an outage, in five of the 30 minutes after its confirmation',
      [0, 0, 0, 0.5],
    ),
    source: 'Copies of the service may lack what others have.',
  },
  unknownInReports: {
    ...word(
      'whether an outage report shows an unknown state while it lasts, or only when it has ended',
      ['shown', 'absent'],
    ),
    source: 'The documents have the state `unknown` in reports, but not since when it is listed.',
  },
  pausesInReports: {
    ...word(
      'whether outage reports have no state during a pause, or the state unknown',
      ['absent', 'unknown'],
      { documented: 'unknown' },
    ),
    source: 'The documents have no state for a pause.',
  },
  unknownTests: {
    ...word('whether the last test of a list may be one whose result is unknown', [
      'listed',
      'absent',
    ]),
    source:
      'Raw results may be unknown, so that such a test is one; the documents do not say which tests lists show.',
  },
  unmeasured: {
    ...word(
      'the last response time while a check is down or paused: 0, absent, or that of an earlier test',
      ['zero', 'absent', 'kept'],
      { documented: 'absent' },
    ),
    source:
      'While nothing was measured, recorded lists have a response time of 0. Lists of other accounts seem to keep the time of the last test.',
  },
  openDownEnd: {
    ...word(
      'the end of a downtime that has not ended: the last test, absent, or the end of the downtime before it',
      ['last-test', 'absent', 'earlier'],
      { documented: 'absent' },
    ),
    source: 'In recorded lists a downtime that has not ended ends with the last test.',
  },
  downEnd: {
    ...word(
      'the end of a downtime: the first other test or the pause after it, or the first good test',
      ['next-test', 'good-test'],
    ),
    source:
      'The documents do not say which test ends a downtime if the first one after it is unknown.',
  },
  lastErrors: {
    ...word(
      'the time of the last error: the last failed test, the first one of the last failure, or the last one of the last outage',
      ['last-test', 'first-test', 'outage'],
    ),
    // A first test does not show how long an outage lasted that reports lack.
    drawn: ['last-test', 'last-test', 'outage'],
    source: 'The documents do not say which failed tests are the last error.',
  },
  recoveries: {
    ...word(
      'the status of a check whose last test is the first good one after an outage: up, or the undocumented unconfirmed_up',
      ['up', 'unconfirmed_up'],
    ),
    source: 'Users report the status `unconfirmed_up`; the documents do not have it.',
  },
  responseTimes: {
    ...word('whether response times are whole milliseconds or have fractions', [
      'whole',
      'fractions',
    ]),
    source: 'Response times are whole milliseconds in the documents; users report fractions.',
  },
  ids: {
    ...word('whether identifiers are numbers or texts', ['numbers', 'texts']),
    source: 'Identifiers are integers in the documents, and texts in some recorded responses.',
  },
  numbers: {
    ...word('whether numbers other than identifiers are numbers or texts', ['numbers', 'texts']),
    source: 'In some recorded responses the count of a tag is a text.',
  },
  attributes: {
    ...word('whether optional attributes of some objects are missing or null', [
      'present',
      'absent',
      'null',
    ]),
    source: 'Any attribute may be absent, says the vendor; recorded ones are null, too.',
  },
  emptyLists: {
    ...word(
      'whether a list without entries is an empty one, null, or, in an object of the response, absent',
      ['empty', 'null', 'absent'],
    ),
    source: 'Any attribute may be absent, says the vendor; recorded ones are null, too.',
  },
  occurrences: {
    ...word(
      'which occurrences of maintenance a period has: those that overlap it, begin in it, or begin and end in it',
      ['overlapping', 'beginning', 'within'],
    ),
    source: 'The documents do not say which occurrences a period selects.',
  },
  maintenancePage: {
    ...word('the most maintenance windows of a result page: as many as requested, or 50', [
      'requested',
      '50',
    ]),
    source:
      'The documents have the largest result page of other lists, but not of maintenance windows.',
  },
  words: {
    ...word('whether statuses and types are in small letters or capitals', ['small', 'capitals']),
    source: 'Users report statuses and types in capitals.',
  },
  listOrder: {
    ...word('whether lists are in the order of the identifiers or in another one', [
      'ascending',
      'shuffled',
    ]),
    source: 'The documents do not give an order.',
  },
  repeatedResults: {
    ...share('the share of raw results that are listed twice', [0, 0.05]),
    source: 'The documents do not say whether a result may be listed twice.',
  },
  omittedChecks: {
    ...share('the share of checks that lists of up to 40 seconds in ten minutes lack', [0, 0, 0.1]),
    source: 'Copies of the service may not have read a check yet that others list.',
  },
  hourLagSeconds: {
    ...secondsRange('how far reports by the hour are behind other reports', ['0', '0-900']),
    source: 'The last tests of an hour arrive after its end.',
  },
  errorBodies: {
    ...word('the bodies of errors: those of the API, JSON of another form, text or HTML', [
      'api',
      'json',
      'text',
      'html',
    ]),
    source: 'Proxies and gateways answer errors in their own form.',
  },
  stray401: {
    ...share('the share of requests that are refused with 401', [0, 0, 0.01]),
    source: 'A valid token is now and then refused, with the error body of the API.',
  },
  stray403: {
    ...share('the share of requests that a gateway refuses with 403', [0, 0, 0.01]),
    source: 'A gateway in front of the API refuses requests with a text.',
  },
  missingLimits: {
    ...share('the share of responses without limit headers', [0, 0, 0.05]),
    source: 'One response among many lacks the limit headers.',
  },
  analysisDelaySeconds: {
    ...seconds(
      'the seconds from the confirmation of an outage until its analysis is listed',
      180,
      [180, 0, 900],
    ),
    source: 'Analyses are made after the confirmation of an outage, sometimes minutes later.',
  },
  alertDelaySeconds: {
    ...seconds('alerts are listed up to so many seconds after they were sent', 0, [0, 0, 900]),
    source:
      'Analyses and raw results are listed minutes late; the documents do not say when alerts are.',
  },
  alertOutcomeSeconds: {
    ...seconds(
      'an alert has the status `sent` for up to so many seconds, until its outcome is known',
      0,
      [0, 0, 600],
    ),
    source:
      'The documents have `sent`, `delivered` and `notdelivered`, but not when a status changes.',
  },
  timeZone: {
    ...zone(
      'the time zone of the account, for the hours and days of summaries',
      'Europe/Stockholm',
      ['UTC', 'Asia/Kolkata'],
    ),
    source: 'A recorded report by the day begins at 08:00 UTC.',
  },
  days: {
    ...word('whether the days of a report have one offset of the zone, or begin at its midnights', [
      'of-one-offset',
      'of-the-calendar',
    ]),
    source: 'The documents do not say what a day is when the offset of the zone changes.',
  },
  resumedTests: {
    ...word(
      'the first test of a check that is resumed: at once, or the next one that was due, until which its status is unknown',
      ['at-once', 'when-due'],
    ),
    source: 'The documents do not say which status a resumed check has.',
  },
  transactionTimes: {
    ...word('the unit of the response times of transactions', ['microseconds', 'milliseconds'], {
      documented: 'milliseconds',
    }),
    source:
      'The documents say milliseconds; recorded values of a single step exceed an hour of them.',
  },
  transactionType: {
    ...word('whether the type of a transaction is a word or an array', ['word', 'array'], {
      documented: 'array',
    }),
    source: 'Recorded lists have a word; the documents have an array.',
  },
  requestHeaders: {
    ...word(
      'whether request headers are read as an object, or as the array that was written',
      ['object', 'array'],
      { documented: 'array' },
    ),
    source: 'Request headers are written as an array.',
  },
  statesSpan: {
    ...word('the longest period of reports of states', ['any', '31-days']),
    // A shorter one takes more requests, which tests of costs do not expect.
    drawn: ['any'],
    source:
      'Other reports have a longest period, and raw results one of 31 days; the documents have none for states.',
  },
  hoursSpan: {
    ...word('the longest period of reports of checks by the hour', ['60-days', '8-days'], {
      documented: '8-days',
    }),
    source: 'The limit of 60 days was observed; the documents have 8 days, for transactions.',
  },
} as const satisfies Record<string, Freedom<unknown>>;

export type FreedomName = keyof typeof freedoms;

/** A value for each freedom. */
export type Wire = { readonly [N in FreedomName]: ReturnType<(typeof freedoms)[N]['read']> };

const names = Object.keys(freedoms) as FreedomName[];

function freedomOf(name: FreedomName): Freedom<unknown> {
  return freedoms[name];
}

function wireOf(value: (freedom: Freedom<unknown>, name: FreedomName) => unknown): Wire {
  return Object.fromEntries(names.map((name) => [name, value(freedomOf(name), name)])) as Wire;
}

/** The wire of recorded responses. */
export const recordedWire = wireOf(({ recorded }) => recorded);

/** The wire of the documents. */
export const documentedWire = wireOf(({ documented }) => documented);

/** A random wire; the same seed gives the same wire. */
export function drawWire(seed: number): Wire {
  return wireOf(({ drawn }, name) => {
    const letters = [...name].map((letter) => letter.charCodeAt(0));
    return drawn[Math.floor(hashUnit(seed, ...letters) * drawn.length)];
  });
}

/** The recorded wire with other values for some freedoms. Throws a `RangeError` for a bad value. */
export function wireWith(values: Partial<Wire>, base: Wire = recordedWire): Wire {
  return wireOf((freedom, name) => {
    const value: unknown = values[name];
    return value === undefined ? base[name] : readValue(name, freedom.show(value));
  });
}

function readValue(name: FreedomName, text: string): unknown {
  try {
    return freedomOf(name).read(text);
  } catch (error) {
    throw new RangeError(`${name} ${error instanceof Error ? error.message : ''}, not ${text}`);
  }
}

/**
 * Reads a wire: `recorded`, `documented` or `seed:42`, then other values for some freedoms, such as
 * `recorded,reportsEnd=now`. Throws a `RangeError` for other text.
 */
export function parseWire(text: string): Wire {
  const [preset = '', ...changes] = text.split(',');
  const changed: Partial<Record<FreedomName, unknown>> = {};
  for (const change of changes) {
    const [name = '', ...value] = change.split('=');
    if (!isFreedom(name)) {
      throw new RangeError(`there is no freedom ${name}; there are ${names.join(', ')}`);
    }
    changed[name] = readValue(name, value.join('='));
  }
  return { ...presetWire(preset), ...(changed as Partial<Wire>) };
}

function presetWire(preset: string): Wire {
  if (preset === 'recorded') return recordedWire;
  if (preset === 'documented') return documentedWire;
  const [, seed] = /^seed:(\d{1,15})$/.exec(preset) ?? [];
  if (seed !== undefined) return drawWire(Number(seed));
  throw new RangeError('a wire must begin with recorded, documented, or a seed such as seed:42');
}

function isFreedom(name: string): name is FreedomName {
  return Object.hasOwn(freedoms, name);
}

/** The text of a wire, which `parseWire` reads: what differs from recorded responses. */
export function wireText(wire: Wire): string {
  const changes = names.flatMap((name) => {
    const { show } = freedomOf(name);
    const text = show(wire[name]);
    return text === show(recordedWire[name]) ? [] : [`${name}=${text}`];
  });
  return ['recorded', ...changes].join(',');
}
