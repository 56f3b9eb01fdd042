/** The two fixed windows in which the service counts an account's requests (API 3.1, section 8). */
export const windowNames = ['short', 'long'] as const;
export type WindowName = (typeof windowNames)[number];

/** What one response says about one window. */
export interface WindowReading {
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** What one response says about the account's limits; a window the service did not mention, or that could not be decoded, is absent. */
export type RateLimits = { readonly [W in WindowName]?: WindowReading };
