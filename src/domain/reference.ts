/** A choice the service offers, such as a time zone. */
export interface ReferenceItem {
  readonly id: number;
  readonly description: string;
}

export interface Country {
  readonly id: number;
  readonly iso: string;
  readonly name: string;
}

export interface PhoneCode {
  readonly countryId: number;
  readonly name: string;
  /** Digits, as dialled. */
  readonly code: string;
}

/** The service's reference data (API 3.1, section 2.7). What it did not answer with is empty. */
export interface Reference {
  readonly regions: readonly ReferenceItem[];
  readonly timezones: readonly ReferenceItem[];
  readonly dateTimeFormats: readonly ReferenceItem[];
  readonly numberFormats: readonly ReferenceItem[];
  readonly countries: readonly Country[];
  readonly phoneCodes: readonly PhoneCode[];
}
