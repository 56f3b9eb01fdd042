import { type ResultStatus, resultStatuses } from '../../domain/result.ts';
import type { TestResult } from '../history.ts';
import { type Inputs, integerParameter, wordListParameter } from '../query-parameters.ts';
import { Refusal } from '../refusal.ts';
import type { Period } from './period.ts';
import { probeSelection } from './probe-selection.ts';
import { day } from './spans-of-time.ts';

const longestFilteredPeriod = 31 * day;
const filterWords = ['down', 'up', 'unconfirmed', 'unknown'] as const;

export interface ResultFilter {
  readonly statuses: ReadonlySet<ResultStatus>;
  /** Whether a result with one of the statuses is asked for. */
  accepts(result: TestResult): boolean;
}

/** Which raw results are asked for (API 3.1, section 4.4). With bounds on the response time, those without one are not. */
export function resultFilter(inputs: Inputs, { from, to }: Period): ResultFilter {
  const words = wordListParameter(inputs, 'status', filterWords);
  const named = words.map((word) => (word === 'unconfirmed' ? 'unconfirmed_down' : word));
  const isSelected = probeSelection(inputs);
  const shortest = integerParameter(inputs, 'minresponse', { min: 0 });
  const longest = integerParameter(inputs, 'maxresponse', { min: 0 });
  const isBounded = shortest !== undefined || longest !== undefined;
  if (isBounded && to - from > longestFilteredPeriod) {
    throw new Refusal(400, 'The period must not exceed 31 days with minresponse or maxresponse');
  }
  return {
    statuses: new Set(named.length === 0 ? resultStatuses : named),
    accepts: ({ probeId, responseMilliseconds }) =>
      isSelected(probeId) &&
      (!isBounded ||
        (responseMilliseconds !== undefined &&
          responseMilliseconds >= (shortest ?? 0) &&
          responseMilliseconds <= (longest ?? Number.POSITIVE_INFINITY))),
  };
}
