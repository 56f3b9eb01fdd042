// The words that the documents of the API use for versions, types and states.

export const apiVersions = ['3.1', '2.1', '2.0'] as const;

/** The versions of the API, as in its paths. */
export type ApiVersion = (typeof apiVersions)[number];

/** API 3.1, section 2.1. */
export const checkTypes = [
  'http',
  'httpcustom',
  'tcp',
  'ping',
  'dns',
  'udp',
  'smtp',
  'pop3',
  'imap',
] as const;

/** The status of a check in the list (API 3.1, section 2.1). */
export type CheckStatus = ResultStatus | 'paused';

export const resultStatuses = ['up', 'down', 'unconfirmed_down', 'unknown'] as const;

/** The outcome of one test (API 3.1, section 3). */
export type ResultStatus = (typeof resultStatuses)[number];

/** The state of a check in reports (API 3.1, section 3). */
export type MonitoredState = 'up' | 'down' | 'unknown';
