import { apiVersions } from '../../../domain/version.ts';
import type { Operation } from '../operation.ts';

/** `GET /credits` (API 3.1, sections 2.4 and 4.1). */
export const readCredits: Operation = {
  name: 'get_credits',
  summary: 'read the limits and the remaining credits of the plan',
  method: 'get',
  path: '/credits',
  versions: apiVersions,
  parameters: [],
  body: 'none',
  run(_inputs, { world, version }) {
    const used = world.checks.length;
    const basic = {
      checklimit: world.checkLimit,
      availablechecks: world.checkLimit - used,
      availablesms: 430,
      availablesmstests: 5,
      autofillsms: true,
    };
    if (version === '2.0') return { credits: basic };
    return {
      credits: {
        ...basic,
        useddefault: used,
        usedtransaction: world.transactions.all.length,
        autofillsms_amount: 100,
        autofillsms_when_left: 50,
        max_sms_overage: 25,
        availablerumsites: 4,
        usedrumsites: 1,
        maxrumfilters: 10,
        maxrumpageviews: 100_000,
      },
    };
  },
};
