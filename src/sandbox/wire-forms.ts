/**
 * Where recorded responses of the service differ from its documents, the sandbox follows the
 * recordings. Each form of the documents can be selected instead.
 */
export const documentForms = {
  'reports-to-now': {
    description: 'reports of transactions and hours end now, not with the last run or test',
  },
  milliseconds: {
    description: 'response times of transactions are in milliseconds, not in microseconds',
  },
  'type-array': {
    description: 'the type of a transaction is an array, not a word',
  },
  'header-array': {
    description: 'requestheaders are read as they were written, not as an object',
  },
  'unknown-pauses': {
    description: 'outage reports show a pause as unknown, for the documents have no state for it',
  },
  'week-of-hours': {
    description: 'reports of checks by the hour span a week and a day at most, not 60 days',
  },
  'absent-values': {
    description: 'while a check or transaction is down or paused, what was not measured is absent',
  },
} as const satisfies Record<string, { readonly description: string }>;

export type DocumentForm = keyof typeof documentForms;

export function isDocumentForm(name: string): name is DocumentForm {
  return Object.hasOwn(documentForms, name);
}

/** The forms of the account's responses. */
export interface WireForms {
  readonly documentForms: ReadonlySet<DocumentForm>;
  /** A name of the time zone database; the hours and days of summaries are in this zone. */
  readonly timeZone: string;
  /** The delay from the confirmation of an outage until its analysis is listed. */
  readonly analysisDelaySeconds: number;
}

export const defaultWireForms: WireForms = {
  documentForms: new Set(),
  timeZone: 'Europe/Stockholm',
  analysisDelaySeconds: 180,
};
