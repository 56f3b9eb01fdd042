import type { Operation } from './operation.ts';

/** Plans are sold in steps of so many checks. */
const planStep = 50;

/** `GET /credits` (API 3.1, sections 2.4 and 4.1). */
export const readCredits: Operation = {
  name: 'credits',
  method: 'get',
  path: '/credits',
  parameters: [],
  run(_query, { world }) {
    const used = world.checks.length;
    const checklimit = planStep * (Math.floor(used / planStep) + 1);
    return {
      credits: {
        checklimit,
        availablechecks: checklimit - used,
        useddefault: used,
        usedtransaction: 0,
        availablesms: 430,
        availablesmstests: 5,
        autofillsms: true,
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
