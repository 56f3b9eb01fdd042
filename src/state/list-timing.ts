/** When the check list was read, when it is read next, and how late an outage may be seen. */
export interface ListTiming {
  readonly ageSeconds: number;
  /** 0 if it is due or being read. */
  readonly nextInSeconds: number;
  /** The time between two lists: an outage that the service shows after one is seen in the next. */
  readonly outageDelaySeconds: number;
}

interface ListSchedule {
  /** Absent before the first list. */
  readonly ageSeconds?: number | undefined;
  /** Absent without a plan. */
  readonly intervalSeconds?: number | undefined;
  /** Until the list is due by its interval or its retry. */
  readonly dueInSeconds?: number | undefined;
  /** Until the budget allows a request; Infinity if the response to another request decides. */
  readonly admissionInSeconds: number;
  /** Until a spent window resets and a new plan replaces these times; absent if none is spent. */
  readonly resetInSeconds?: number | undefined;
}

/** Undefined before the first list. */
export function listTiming({
  ageSeconds,
  intervalSeconds = 0,
  dueInSeconds = 0,
  admissionInSeconds,
  resetInSeconds = Number.POSITIVE_INFINITY,
}: ListSchedule): ListTiming | undefined {
  if (ageSeconds === undefined) return undefined;
  const waitSeconds = Number.isFinite(admissionInSeconds) ? admissionInSeconds : 0;
  const nextInSeconds = Math.max(0, Math.min(dueInSeconds, resetInSeconds), waitSeconds);
  const betweenSeconds = Math.min(intervalSeconds, resetInSeconds);
  const outageDelaySeconds = Math.max(betweenSeconds, ageSeconds + nextInSeconds);
  return { ageSeconds, nextInSeconds, outageDelaySeconds };
}
