export const severities = ['HIGH', 'LOW'] as const;
export type Severity = (typeof severities)[number];

/** By the names of the API (API 3.1, section 2.10). */
export interface EmailAddress {
  readonly severity: Severity;
  readonly address: string;
}

export interface PhoneNumber {
  readonly severity: Severity;
  readonly country_code: string;
  readonly number: string;
  readonly provider: string;
}

export interface ApplePush {
  readonly severity: Severity;
  readonly device: string;
  readonly name: string;
}

export interface GooglePush {
  readonly severity: Severity;
  readonly agcm_id: string;
}

export interface ChannelTargets {
  readonly email: EmailAddress;
  readonly sms: PhoneNumber;
  readonly apns: ApplePush;
  readonly agcm: GooglePush;
}
export type Channel = keyof ChannelTargets;

/** A way to reach a person, with the identifier version 2.1 knows it by. */
export type Target = {
  [C in Channel]: { readonly id: number; readonly channel: C; readonly value: ChannelTargets[C] };
}[Channel];
export type NewTarget = Target extends infer T ? (T extends Target ? Omit<T, 'id'> : never) : never;

/**
 * Somebody who is alerted: a contact of version 3.1, a user of version 2.1 and a contact of version 2.0
 * are one and the same.
 */
export interface Person {
  readonly id: number;
  readonly name: string;
  readonly kind: 'user' | 'contact';
  readonly owner: boolean;
  readonly paused: boolean;
  readonly targets: readonly Target[];
  /** Where the telephone number belongs, as version 2.0 has it. */
  readonly countryIso?: string;
  /** The direct messages of version 2.0. */
  readonly directSocial: boolean;
  readonly socialUser?: string;
}

export interface Team {
  readonly id: number;
  readonly name: string;
  readonly memberIds: readonly number[];
}

export function valuesOf<C extends Channel>(
  { targets }: Pick<Person, 'targets'>,
  channel: C,
): ChannelTargets[C][] {
  return targets
    .filter((target) => target.channel === channel)
    .map(({ value }) => value as ChannelTargets[C]);
}
