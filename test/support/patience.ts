/** Ten minutes, for every wait: only what hangs fails, however busy the machine is. */
export const patienceMilliseconds = 600_000;

/** For `vi.waitFor`. */
export const patience = { interval: 100, timeout: patienceMilliseconds } as const;
