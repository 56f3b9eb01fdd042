/** A probe server (API 3.1, section 2.6); `region` is one of the values of a check's probe filters (section 2.1). */
export interface Probe {
  readonly id: number;
  readonly city: string;
  readonly country: string;
  readonly countryiso: string;
  readonly region: 'EU' | 'NA' | 'APAC' | 'LATAM';
  readonly name: string;
  readonly hostname: string;
  readonly ip: string;
  readonly ipv6?: string;
  readonly active: boolean;
  /** Listed only on request. */
  readonly deleted: boolean;
  /** Plays transactions too. */
  readonly transactions: boolean;
}
