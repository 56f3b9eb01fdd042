/** The two fixed windows in which the service counts an account's requests (API 3.1, section 8). */
export const windowNames = ['short', 'long'] as const;
export type WindowName = (typeof windowNames)[number];

/** The report of one response about one window. */
export interface WindowReport {
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** The windows in one response. A missing or malformed one is absent. */
export type RateLimits = { readonly [W in WindowName]?: WindowReport };
