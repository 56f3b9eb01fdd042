import { apiVersions } from '../../domain/api-version.ts';
import type { Operation } from '../operation.ts';
import { required, textParameter } from '../query-parameters.ts';
import { chosenProbe } from './chosen-probe.ts';
import { hostDraws, isUnreachable } from './host-draws.ts';

const fewestHops = 4;
const mostHops = 12;
const draw = { probe: 71, hops: 73, delay: 74 } as const;

/** `GET /traceroute` (API 3.1, sections 2.9 and 4.4; legacy versions, section 4.7). */
export const readTraceroute: Operation = {
  name: 'traceroute',
  summary: 'trace the route from a probe to a host',
  method: 'get',
  path: '/traceroute',
  versions: apiVersions,
  parameters: ['host', 'probeid'],
  body: 'none',
  run(inputs, { now }) {
    const host = required('host', textParameter(inputs, 'host'));
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
  const hops = fewestHops + Math.floor(chance(draw.hops) * (mostHops - fewestHops));
  const lines = Array.from({ length: hops }, (_, position) => {
    const hop = position + 1;
    const milliseconds = (hop * (1 + 8 * chance(draw.delay, hop))).toFixed(3);
    if (hop < hops) return `${hop}  hop-${hop}.example.net (198.51.100.${hop})  ${milliseconds} ms`;
    return isUnreachable(host) ? `${hop}  * * *` : `${hop}  ${host}  ${milliseconds} ms`;
  });
  return `traceroute to ${host}, 30 hops max\n${lines.join('\n')}\n`;
}
