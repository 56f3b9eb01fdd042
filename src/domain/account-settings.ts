/** What the account's settings say that is not personal (API 2.x, section 2.5). */
export interface AccountSettings {
  readonly createdAtSeconds?: number;
  readonly timezone?: string;
  readonly region?: string;
  readonly countryIso?: string;
}
