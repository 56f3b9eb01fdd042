/** A server that tests are run from (API 3.1, section 2.6). */
export interface Probe {
  readonly id: number;
  readonly name: string;
  readonly country?: string;
  readonly countryIso?: string;
  readonly city?: string;
  readonly region?: string;
  readonly active?: boolean;
}
