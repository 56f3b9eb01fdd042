export const reportFrequencies = ['daily', 'weekly', 'monthly', 'unknown'] as const;
export type ReportFrequency = (typeof reportFrequencies)[number];

/** A report that is sent by e-mail (API 2.x, section 2.5). To whom is left unread. */
export interface EmailReport {
  readonly id: number;
  readonly frequency: ReportFrequency;
  /** Absent for an overview of all checks. */
  readonly checkId?: number;
}

/** A check whose report anyone can read (API 2.x, section 2.5). */
export interface PublicReport {
  readonly checkId: number;
}

export const sharedReportTypes = ['response', 'uptime', 'unknown'] as const;
export type SharedReportType = (typeof sharedReportTypes)[number];

/** A banner that shows a check elsewhere (API 2.x, section 2.5). Its id and address are left unread. */
export interface SharedReport {
  readonly checkId: number;
  readonly type: SharedReportType;
}
