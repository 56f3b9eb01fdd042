import { type SandboxAccountSettings, seededAccountSettings } from './account-settings.ts';
import { Numbered } from './numbered.ts';

export const frequencies = ['monthly', 'weekly', 'daily'] as const;

export interface SandboxEmailReport {
  readonly id: number;
  readonly name: string;
  /** Absent for an overview of all checks. */
  readonly checkId?: number;
  readonly frequency: (typeof frequencies)[number];
  readonly additionalEmails: readonly string[];
  /** The recipients in version 2.0. */
  readonly contactIds: readonly number[];
  /** Version 2.1 only. */
  readonly includePaused: boolean;
}

export interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export interface Banner {
  readonly id: number;
  readonly checkId: number;
  readonly type: 'uptime' | 'response';
  /** Absent for a banner that shows the current state. */
  readonly period?: { readonly from: CalendarDay; readonly to: CalendarDay };
}

interface AccountReportsOptions {
  /** UNIX seconds. */
  readonly startedAt: number;
  readonly checkIds: readonly number[];
  readonly contactIds: readonly number[];
}

const firstEmailReportId = 210_001;
const firstBannerId = 310_001;
const firstPeriod = {
  from: { year: 2025, month: 1, day: 1 },
  to: { year: 2025, month: 12, day: 31 },
};

/** The reports of the account and its settings, which only the legacy versions show. */
export class AccountReports {
  readonly email = new Numbered<SandboxEmailReport>({ firstId: firstEmailReportId });
  readonly banners = new Numbered<Banner>({ firstId: firstBannerId });
  /** The checks whose report is public. */
  readonly published: Set<number>;
  settings: SandboxAccountSettings;

  constructor({ startedAt, checkIds, contactIds }: AccountReportsOptions) {
    const overview = { frequency: 'monthly', additionalEmails: [], includePaused: true } as const;
    this.email.add((id) => ({ id, ...overview, name: 'All checks', contactIds }));
    for (const [position, checkId] of checkIds.slice(0, 2).entries()) {
      const type = position === 0 ? 'uptime' : 'response';
      this.banners.add((id) => ({
        id,
        checkId,
        type,
        ...(position === 1 && { period: firstPeriod }),
      }));
      this.email.add((id) => ({
        id,
        name: `Check ${position + 1}`,
        checkId,
        frequency: 'weekly',
        additionalEmails: ['board@example.com'],
        contactIds: contactIds.slice(0, 1),
        includePaused: false,
      }));
    }
    this.published = new Set(checkIds.slice(0, 3));
    this.settings = seededAccountSettings(startedAt);
  }
}
