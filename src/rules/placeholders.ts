import { parseDuration } from '../config/fields.ts';
import type { RuleParameters } from './parameters.ts';

/** A name, or a product of thresholds and numbers. */
const placeholder = /<([a-z_0-9][\w. *]*)>/g;

/**
 * Replaces each placeholder of rules.yaml. Throws an `Error` for an unknown one: PromQL would accept
 * `NaN` in its place, and the alert would never fire.
 */
export function filled(text: string, parameters: RuleParameters): string {
  const texts = textsOf(parameters);
  return text.replaceAll(placeholder, (_, name: string) => {
    const value = texts[name] ?? seconds(name, parameters) ?? number(name, parameters);
    if (value === undefined) throw new Error(`the rules have an unknown placeholder: <${name}>`);
    return value;
  });
}

function textsOf(parameters: RuleParameters): Readonly<Record<string, string>> {
  const { job, identity, lowSeverity } = parameters;
  const labels = (...names: readonly string[]) => [...names, ...identity].join(', ');
  const account = labels('job', 'instance', 'account');
  return {
    account,
    'any account': labels('job', 'account'),
    item: `${account}, check_id`,
    target: labels('job', 'instance'),
    'job labels': labels('job'),
    // In a query of a text: `identity` as matchers, and as the values of those matchers.
    matchers: identity.map((label) => `,${label}=%q`).join(''),
    values: identity.map((label) => ` $labels.${label}`).join(''),
    // A string of PromQL has the escapes of JSON.
    job: JSON.stringify(job).slice(1, -1),
    low_severity: lowSeverity,
  };
}

/** `seconds 25h`: the divided seconds of a duration. */
function seconds(name: string, { timeDivisor }: RuleParameters): string | undefined {
  const duration = parseDuration(/^seconds (.+)$/.exec(name)?.[1] ?? '');
  return duration === undefined ? undefined : `${duration / timeDivisor}`;
}

/** `slow.seconds` or `100 * slow.share_of_limit`. */
function number(name: string, { thresholds }: RuleParameters): string | undefined {
  const groups: Readonly<Record<string, Readonly<Record<string, number>>>> = thresholds;
  const factorOf = (factor: string) => {
    const [group = '', key = ''] = factor.split('.');
    return /^\d+$/.test(factor) ? Number(factor) : groups[group]?.[key];
  };
  let product = 1;
  for (const factor of name.split(' * ')) {
    const value = factorOf(factor);
    if (value === undefined) return undefined;
    product *= value;
  }
  // Without the error of the multiplication: 100 * 0.29 is 28.999999999999996.
  return `${Number(product.toPrecision(12))}`;
}
