import { apiVersions } from '../../../domain/version.ts';
import { requiredParameter, textParameter } from '../../server/parameters.ts';
import type { Operation } from '../operation.ts';
import { chosenProbe, hostDraws, isUnreachable } from './single.ts';

const minHops = 4;
const maxHops = 12;
const draw = { probe: 71, hops: 73, delay: 74 } as const;

/** `GET /traceroute` (API 3.1, sections 2.9 and 4.4; legacy versions, section 4.7). */
export const readTraceroute: Operation = {
  name: 'get_traceroute',
  summary: 'trace the route from a probe to a host',
  method: 'get',
  path: '/traceroute',
  versions: apiVersions,
  parameters: ['host', 'probeid'],
  body: 'none',
  run(inputs, { now }) {
    const host = requiredParameter('host', textParameter(inputs, 'host'));
    const chance = hostDraws(host, now);
    const probe = chosenProbe(inputs, chance(draw.probe));
    return {
      traceroute: {
        result: routeText(host, chance),
        probeid: probe.id,
        probedescription: probe.name,
      },
    };
  },
};

function routeText(host: string, chance: ReturnType<typeof hostDraws>): string {
  const hops = minHops + Math.floor(chance(draw.hops) * (maxHops - minHops));
  const lines = Array.from({ length: hops }, (_, position) => {
    const hop = position + 1;
    const milliseconds = (hop * (1 + 8 * chance(draw.delay, hop))).toFixed(3);
    if (hop < hops) return `${hop}  hop-${hop}.example.net (198.51.100.${hop})  ${milliseconds} ms`;
    return isUnreachable(host) ? `${hop}  * * *` : `${hop}  ${host}  ${milliseconds} ms`;
  });
  return `traceroute to ${host}, 30 hops max\n${lines.join('\n')}\n`;
}
