import { generalSettings, targetSettings } from '../../account/check-settings.ts';
import type { SandboxCheckType } from '../../account/checks.ts';
import { defaultSettings, withInputs } from '../../account/setting-field.ts';
import { hashUnit } from '../../lib/hash.ts';
import { HttpError } from '../../server/http-error.ts';
import {
  booleanParameter,
  enumParameter,
  type Inputs,
  integerParameter,
  listParameter,
  requiredParameter,
  textParameter,
} from '../../server/parameters.ts';
import { type SandboxProbe, testingProbes } from '../../simulation/probes.ts';
import { type ApiVersion, checkTypes } from '../../vocabulary.ts';
import type { OperationContext } from '../operation.ts';
import { selection } from '../readers.ts';
import { describeStatus } from '../reports/result-entry.ts';
import { operation, required, together } from '../table.ts';
import { requireApplicable } from './check-changes.ts';

/**
 * Draws numbers in [0, 1) that depend only on the host, the time in UNIX seconds and the purpose.
 */
function hostDraws(host: string, time: number): (...what: readonly number[]) => number {
  const bytes = Buffer.from(host);
  return (...what) => hashUnit(time, ...what, ...bytes);
}

/** Returns whether the host can never be reached (RFC 2606, section 2). */
function isUnreachable(host: string): boolean {
  return host.endsWith('.invalid');
}

/**
 * Chooses, by a number in [0, 1), among the requested probe and those that the filters allow.
 * Throws a 400 for a probe that does not test, and for filters that no probe matches.
 */
const probeChoice = (inputs: Inputs) => {
  const id = integerParameter(inputs, 'probeid', { min: 0 });
  const isInRegion = selection(listParameter(inputs, 'probe_filters'));
  const allowed = testingProbes.filter(
    (probe) => (id === undefined || probe.id === id) && isInRegion(`region:${probe.region}`),
  );
  return (chance: number): SandboxProbe => {
    const chosen = allowed[Math.floor(chance * allowed.length)];
    if (chosen === undefined) throw new HttpError(400, 'Invalid probe identifier');
    return chosen;
  };
};

const responseSalt = 72;

interface SingleTest {
  readonly status: 'up' | 'down';
  /** Only a successful test has one. */
  readonly responseMilliseconds?: number;
}

/**
 * The outcome of one test of a host now. If a check of the same type tests the host, this is the
 * check's outcome. Any other host is up unless it can never be reached.
 */
function singleTest(
  host: string,
  type: SandboxCheckType,
  { world, now }: OperationContext,
): SingleTest {
  const check = world.checks.find((each) => each.hostname === host && each.type === type);
  const known = check && world.history.lastTest(check, now);
  const isDown = known?.status === 'down' || known?.status === 'unconfirmed_down';
  if (isDown || isUnreachable(host)) return { status: 'down' };
  const chance = hostDraws(host, now)(responseSalt);
  const responseMilliseconds = known?.responseMilliseconds ?? Math.round(40 + 300 * chance);
  return { status: 'up', responseMilliseconds };
}

const draw = { probe: 71, failure: 75 } as const;

/** The settings of checks that affect a single test. */
const testSettings = generalSettings.filter(({ name }) =>
  ['probe_filters', 'responsetime_threshold'].includes(name),
);

/** The type of the test, with valid settings of this type. */
const testedType = together<SandboxCheckType>(settingParameters, (inputs, { version }) => {
  const type = requiredParameter('type', enumParameter(inputs, 'type', checkTypes));
  requireApplicable(type, inputs);
  const fields = [...testSettings, ...targetSettings[type]];
  withInputs(defaultSettings(fields), fields, inputs);
  booleanParameter(inputs, 'ipv6');
  if (version === '3.1') requireNoExclusives(inputs);
  return type;
});

function settingParameters(version: ApiVersion): readonly string[] {
  const fields = [...testSettings, ...Object.values(targetSettings).flat()];
  const names = fields
    .filter(({ versions }) => versions.includes(version))
    .flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  return ['type', 'ipv6', ...names];
}

/** API 3.1, sections 2.8 and 4.4; legacy versions, section 4.7. */
export const readSingle = operation(
  'get_single',
  'GET /single',
  'test a host once',
  { host: required(textParameter), type: testedType, probeid: probeChoice },
  ({ host, type, probeid: probeAt }, context) => {
    const chance = hostDraws(host, context.now);
    const probe = probeAt(chance(draw.probe));
    const { status, responseMilliseconds } = singleTest(host, type, context);
    // JSON omits undefined fields.
    return {
      result: {
        status,
        responsetime: responseMilliseconds,
        ...describeStatus(type, status, chance(draw.failure)),
        probeid: probe.id,
        probedesc: probe.name,
      },
    };
  },
);

/** API 3.1, section 7. The legacy versions do not document this for a single test. */
function requireNoExclusives(inputs: Inputs): void {
  if ('shouldcontain' in inputs && 'shouldnotcontain' in inputs) {
    throw new HttpError(400, 'Parameters shouldcontain and shouldnotcontain exclude each other');
  }
}

const minHops = 4;
const maxHops = 12;
const routeDraw = { probe: 71, hops: 73, delay: 74 } as const;

/** API 3.1, sections 2.9 and 4.4; legacy versions, section 4.7. */
export const readTraceroute = operation(
  'get_traceroute',
  'GET /traceroute',
  'trace the route from a probe to a host',
  { host: required(textParameter), probeid: probeChoice },
  ({ host, probeid: probeAt }, { now }) => {
    const chance = hostDraws(host, now);
    const probe = probeAt(chance(routeDraw.probe));
    return {
      traceroute: {
        result: routeText(host, chance),
        probeid: probe.id,
        probedescription: probe.name,
      },
    };
  },
);

function routeText(host: string, chance: ReturnType<typeof hostDraws>): string {
  const hops = minHops + Math.floor(chance(routeDraw.hops) * (maxHops - minHops));
  const lines = Array.from({ length: hops }, (_, position) => {
    const hop = position + 1;
    const milliseconds = (hop * (1 + 8 * chance(routeDraw.delay, hop))).toFixed(3);
    if (hop < hops) return `${hop}  hop-${hop}.example.net (198.51.100.${hop})  ${milliseconds} ms`;
    return isUnreachable(host) ? `${hop}  * * *` : `${hop}  ${host}  ${milliseconds} ms`;
  });
  return `traceroute to ${host}, 30 hops max\n${lines.join('\n')}\n`;
}
