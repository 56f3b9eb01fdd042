import { humanizeDuration } from '../../lib/format-duration.ts';
import type { AccountStatus } from '../ports.ts';

type AccountCondition =
  | 'ok'
  | 'late'
  | 'starting'
  | 'failing'
  | 'stale'
  | 'unauthorized'
  | 'paused';

/** Returns the most important state of an account: first those that need an operator. */
export function accountCondition({
  snapshot,
  budget,
  plan,
  failure: reason,
}: AccountStatus): AccountCondition {
  const { failure, lastSuccessAtSeconds, stale } = snapshot.datasets.checks;
  if (failure?.reason === 'unauthorized' || failure?.reason === 'forbidden') return 'unauthorized';
  if (budget.paused) return 'paused';
  if (snapshot.up) return plan?.isLateNow || plan?.shortfall?.isStatusLate ? 'late' : 'ok';
  const isOld = stale && lastSuccessAtSeconds !== undefined;
  // An old list after a start is no failure: the first attempt has not ended.
  if (isOld && reason !== 'starting') return 'stale';
  return failure === undefined ? 'starting' : 'failing';
}

interface AccountBadge {
  readonly word: string;
  readonly tone: 'good' | 'calm' | 'warn' | 'bad';
  /** In complete sentences. */
  readonly meaning: string;
  /** The part of the meaning that is also true where other items are shown than on the status page. */
  readonly cause?: string;
}

const onlyDown = 'of its checks, only those that were down are shown';

const badges: { readonly [S in AccountCondition]: AccountBadge } = {
  ok: { word: 'API readable', tone: 'good', meaning: 'The check list is fresh.' },
  late: {
    word: 'Late',
    tone: 'warn',
    meaning: 'Everything is read, but so rarely that outages are seen late.',
  },
  starting: { word: 'Starting', tone: 'calm', meaning: 'The first check list is on its way.' },
  failing: {
    word: 'Failing',
    tone: 'warn',
    meaning: 'The last refresh of the check list failed; what was read before is still shown.',
    cause: 'The last refresh of the check list failed.',
  },
  stale: {
    word: 'Stale',
    tone: 'bad',
    meaning: `The check list is too old: ${onlyDown}.`,
    cause: 'The check list is too old.',
  },
  unauthorized: {
    word: 'Unauthorised',
    tone: 'bad',
    meaning: 'The service does not let the exporter read this account.',
  },
  paused: {
    word: 'Out of budget',
    tone: 'warn',
    meaning: 'All requests wait until a window of the rate limit resets.',
  },
};

/** Returns the state of an account in words. */
export function accountBadge(status: AccountStatus): AccountBadge {
  const state = accountCondition(status);
  const isUnread = status.snapshot.datasets.checks.lastSuccessAtSeconds === undefined;
  if (state === 'failing' && isUnread) {
    const meaning = 'The check list could not be read yet.';
    return { ...badges.failing, meaning, cause: meaning };
  }
  if (state === 'starting' && !isUnread) {
    const cause = 'The first check list since the start is on its way.';
    return { ...badges.starting, meaning: `${cause} The last one is too old: ${onlyDown}.`, cause };
  }
  return state === 'paused' ? spendingBadge(status.budget.retrySeconds) : badges[state];
}

/** Returns why no request is sent; `retrySeconds` is undefined if a window is exhausted. */
export function spendingBadge(retrySeconds: number | undefined): AccountBadge {
  return retrySeconds === undefined ? badges.paused : refusedBadge(retrySeconds);
}

function refusedBadge(retrySeconds: number): AccountBadge {
  const asks =
    retrySeconds > 0 ? `asks again in ${humanizeDuration(retrySeconds)}` : 'is asking again';
  return {
    word: 'Refused',
    tone: 'warn',
    meaning: `The service refuses requests (429) and names no window of the rate limit that is used up. The exporter ${asks}, and waits longer after each refusal.`,
  };
}
