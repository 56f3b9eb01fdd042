/** That the service looked for the root cause of an error (API 3.1, section 2.3). */
export interface Analysis {
  readonly id: number;
  readonly firstTestAtSeconds?: number;
  readonly confirmTestAtSeconds?: number;
}
