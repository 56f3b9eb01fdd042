import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import type { RequestHandler } from 'express';
import { checkStatuses } from '../domain/check.ts';
import { startSlices, yieldToEventLoop } from '../lib/event-loop.ts';
import { present } from '../lib/present.ts';
import type { CheckRow } from '../state/snapshot.ts';
import { itemFilterOf, queryOf, requireOneOf } from './common/query.ts';
import { NotReadyError, respondWithJson } from './common/query-errors.ts';
import type { StatusAndClock } from './common/site.ts';

const parameters = ['account', 'tag', 'state'];
const checksPerStep = 256;

/** A target group of Prometheus's HTTP service discovery: one check. */
interface TargetGroup {
  readonly targets: readonly [string];
  readonly labels: Readonly<Record<string, string>>;
}

/** The characters of a name in any script; what the URL parser would cut off is not among them. */
const nameCharacters = /^[\p{L}\p{M}\p{N}._-]+$/u;
const label = '[a-z\\d_](?:[a-z\\d_-]{0,61}[a-z\\d_])?';
const asciiName = new RegExp(`^${label}(?:\\.${label})*\\.?$`);

/**
 * Returns a host as Prometheus takes it: IPv6 addresses in brackets, international names in ASCII.
 * Undefined for anything else that people enter as a host, such as an address with a path.
 */
export function targetOf(hostname: string): string | undefined {
  if (isIPv6(hostname)) return `[${hostname}]`;
  if (/^\[.*\]$/.test(hostname)) return isIPv6(hostname.slice(1, -1)) ? hostname : undefined;
  if (!nameCharacters.test(hostname)) return undefined;
  const name = domainToASCII(hostname);
  // The URL parser completes addresses such as 192.0.2.
  if (isIPv4(name) && name !== hostname) return undefined;
  return name.length <= 254 && asciiName.test(name) ? name : undefined;
}

/**
 * Returns one check as a target. The target is only the host, because the list has neither port nor
 * path. Tags are enclosed in commas, so that a relabelling rule can match one. Unknown labels are
 * absent.
 */
function targetGroup(account: string, target: string, check: CheckRow): TargetGroup {
  const { id, name, type, status, severity, resolutionSeconds, tags } = check;
  return {
    targets: [target],
    labels: present({
      __meta_uptime_account: account,
      __meta_uptime_check_id: `${id}`,
      __meta_uptime_check_name: name,
      __meta_uptime_check_type: type,
      __meta_uptime_check_state: status,
      __meta_uptime_check_severity: severity,
      ...(resolutionSeconds !== undefined && {
        __meta_uptime_check_resolution_seconds: `${resolutionSeconds}`,
      }),
      ...(tags.length > 0 && {
        __meta_uptime_check_tags: `,${tags.map((tag) => tag.name).join(',')},`,
      }),
    }),
  };
}

/**
 * Responds with the hosts of the checks for `http_sd_configs`. The last list is used at any age, so
 * that a failing service removes no target. Before the first list of a requested account, and while
 * no replica is known to serve it, the response is 503, after which Prometheus keeps its targets. An
 * account that another replica serves has its targets there.
 */
export function serviceDiscoveryHandler({ status, clock }: StatusAndClock): RequestHandler {
  return async ({ url }, response) => {
    await respondWithJson(response, async () => {
      const query = queryOf(url, { once: [], repeatable: parameters });
      const states = query.getAll('state');
      for (const state of states) requireOneOf('state', state, checkStatuses);
      const filter = itemFilterOf(query, status);
      const unserved = filter.elsewhere.find(
        ({ isHeld, holder }) => isHeld || holder === undefined,
      );
      if (unserved !== undefined) {
        const name = JSON.stringify(unserved.account);
        throw new NotReadyError(`No replica serves the account ${name} now, try again later`);
      }
      if (filter.accounts.some(({ snapshot }) => snapshot.checks === undefined)) {
        throw new NotReadyError('No check list yet, try again later');
      }
      const yieldIfDue = startSlices({ clock, yieldToEventLoop });
      const groups: string[] = [];
      for (const { snapshot } of filter.accounts) {
        for (const [place, check] of (snapshot.checks ?? []).entries()) {
          if (place % checksPerStep === 0) await yieldIfDue();
          const { hostname = '', tags } = check;
          const target = targetOf(hostname);
          if (target === undefined || !filter.hasTag(tags)) continue;
          if (states.length > 0 && !states.includes(check.status)) continue;
          groups.push(JSON.stringify(targetGroup(snapshot.account, target, check)));
        }
      }
      return `[${groups.join(',\n')}]`;
    });
  };
}
