import { reportFrequencies } from '../../domain/account.ts';
import { type AccountFamily, lean } from './family.ts';
import { LabelCounts } from './label-counts.ts';
import { accountFamiliesOf } from './row-families.ts';

const account = accountFamiliesOf('account');

/** Families of the account from data that only API 2.x has. */
export const legacyFamilies: readonly AccountFamily[] = [
  lean(
    'nothing',
    account.field(
      'uptime_account_clock_offset_seconds',
      "The service's clock minus the exporter's.",
      'clockOffsetSeconds',
    ),
  ),
  lean(
    'nothing',
    account.values(
      'uptime_email_reports',
      'E-mail reports by frequency.',
      'emailReports',
      ['frequency'],
      (reports, emit) => {
        const counts = new LabelCounts(reportFrequencies.map((frequency) => [frequency]));
        for (const { frequency } of reports) counts.add(1, frequency);
        counts.emit(emit);
      },
    ),
  ),
  lean(
    'nothing',
    account.value(
      'uptime_public_reports',
      'Checks with a public report.',
      'publicReports',
      (reports) => reports.length,
    ),
  ),
  lean(
    'nothing',
    account.value(
      'uptime_shared_reports',
      'Shared banners of checks.',
      'sharedReports',
      (reports) => reports.length,
    ),
  ),
];
