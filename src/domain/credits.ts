/** What the account's plan allows and has left (API 3.1, section 2.4). What the service did not say is absent. */
export interface Credits {
  readonly checkLimit?: number;
  readonly checksAvailable?: number;
  readonly defaultChecksUsed?: number;
  readonly transactionChecksUsed?: number;
  readonly smsAvailable?: number;
  readonly smsTestsAvailable?: number;
  readonly smsAutofillEnabled?: boolean;
  readonly smsAutofillAmount?: number;
  readonly smsAutofillThreshold?: number;
  /** Absent also when overage is switched off (the service then says null). */
  readonly smsOverageLimit?: number;
  readonly rumSitesAvailable?: number;
  readonly rumSitesUsed?: number;
  readonly rumFiltersLimit?: number;
  readonly rumPageviewsLimit?: number;
}
