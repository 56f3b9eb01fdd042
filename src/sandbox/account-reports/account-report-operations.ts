import type { Operation } from '../operation.ts';
import { emailReportOperations } from './email-reports.ts';
import { publicReportOperations } from './public-reports.ts';
import { settingsOperations } from './settings-operations.ts';
import { sharedReportOperations } from './shared-reports.ts';

export const accountReportOperations: readonly Operation[] = [
  ...emailReportOperations,
  ...publicReportOperations,
  ...sharedReportOperations,
  ...settingsOperations,
];
