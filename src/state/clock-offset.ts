const maxOffsetSeconds = 60;

/** Whether the service's clock differs so much from that of this machine that somebody should know. */
export function isClockOff(offsetSeconds = 0): boolean {
  return Math.abs(offsetSeconds) > maxOffsetSeconds;
}
