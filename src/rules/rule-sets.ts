/** Groups of rules that are asked for by name, and what each is about. */
export const ruleSets = {
  slow: 'checks and transactions that are slower than usual',
  groups: 'the error budgets of groups',
  housekeeping:
    'settings and credits of the account: paused checks, recipients, maintenance, text messages',
  exporter: 'the care of the exporter: clock, scrapes, late data, lost counters',
  replicas: 'exporters that share accounts through a database',
} as const;
export type RuleSet = keyof typeof ruleSets;
export const ruleSetNames = Object.keys(ruleSets) as readonly RuleSet[];

export function isRuleSet(name: unknown): name is RuleSet {
  return typeof name === 'string' && Object.hasOwn(ruleSets, name);
}
