import { type Configuration, defaultTimeZone } from '../config/configuration.ts';
import { defaultCompatOptions } from '../exposition/compat/compat-options.ts';
import type { LabelPolicy } from '../exposition/labels/label-policy.ts';
import { MonthCalendar } from '../lib/month-calendar.ts';
import type { Mutable } from '../lib/present.ts';
import { defaultFlapping, type FlappingLimits } from '../slo/flapping.ts';
import { defaultSloPolicy } from '../slo/groups.ts';
import type { OutagePolicy } from '../slo/outage-policy.ts';
import type { Policies } from '../state/standing/policies.ts';

type Live = Partial<
  Omit<Configuration, 'accounts' | 'changedAtSeconds' | 'serving' | 'served' | 'shown'>
>;

/** The settings that a reload replaces while the accounts run on. What is absent has its default. */
export class LiveSettings {
  readonly #policies: Mutable<Policies>;
  #current: Live;

  constructor(settings: Live) {
    this.#current = settings;
    this.#policies = {
      ...policiesOf(settings),
      calendar: new MonthCalendar(settings.timeZone ?? defaultTimeZone),
    };
  }

  replace(settings: Live): void {
    this.#current = settings;
    Object.assign(this.#policies, policiesOf(settings));
    this.#policies.calendar.follow(settings.timeZone ?? defaultTimeZone);
  }

  /** The same object for as long as the exporter runs. */
  get policies(): Policies {
    return this.#policies;
  }

  get links() {
    return this.#current.links ?? {};
  }

  get pages() {
    return this.#current.pages ?? [];
  }

  get compat() {
    return this.#current.compat ?? defaultCompatOptions;
  }
}

function policiesOf({ slo, labels, flapping }: Live): Omit<Policies, 'calendar'> {
  return { slo: slo ?? defaultSloPolicy(), outages: outagePolicyOf(labels, flapping) };
}

function outagePolicyOf(
  labels: LabelPolicy | undefined,
  flapping: FlappingLimits = defaultFlapping,
): OutagePolicy {
  const promotedOf: OutagePolicy['promotedOf'] = (kind, sources) =>
    labels?.promotedOf(kind, sources);
  return { flapping, promotedOf };
}
