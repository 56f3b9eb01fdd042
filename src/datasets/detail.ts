import { type ItemRefresh, result } from '../schedule/refresh.ts';
import type { RefreshContext } from './refresh-context.ts';

/** The settings of one check. */
export function refreshDetail({ service, state }: RefreshContext): ItemRefresh {
  return async (id, signal) => {
    const detail = await service.check({ checkId: id }, signal);
    const { responseTimeThresholdSeconds, certificateWarningSeconds, recipients } = detail;
    state.setCheckDetail(id, 'settings', {
      recipients,
      ...(responseTimeThresholdSeconds !== undefined && { responseTimeThresholdSeconds }),
      ...(certificateWarningSeconds !== undefined && { certificateWarningSeconds }),
    });
    return result(1);
  };
}
