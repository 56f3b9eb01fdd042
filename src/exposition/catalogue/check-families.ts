import { checkListFamilies } from './check-list-families.ts';
import { checkReportFamilies } from './check-report-families.ts';
import { checkTotalFamilies } from './check-total-families.ts';
import type { CheckFamily } from './family.ts';

/** Every family with series of its own for each check. */
export const checkFamilies: readonly CheckFamily[] = [
  ...checkListFamilies,
  ...checkTotalFamilies,
  ...checkReportFamilies,
];
