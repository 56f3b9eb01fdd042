import type { Banner, CalendarDay } from '../../account/account-reports.ts';
import { HttpError } from '../../server/http-error.ts';
import {
  booleanParameter,
  type Inputs,
  integerParameter,
  requiredParameter,
} from '../../server/parameters.ts';
import type { Operation, OperationContext } from '../operation.ts';
import { bannerById, checkById, oneOf } from '../readers.ts';
import { operation, required, together } from '../table.ts';

/** The public reports (legacy versions, section 4.6). */
export const publicReportOperations: readonly Operation[] = [
  operation(
    'list_public_reports',
    '2.0,2.1 GET /reports.public',
    'list the checks whose report is public',
    {},
    (_, { world }) => {
      const published = world.registry.known([...world.accountReports.published]);
      return {
        public: published.map(({ id, name }) => ({
          checkid: id,
          checkname: name,
          reporturl: `https://reports.example.com/demo/${id}`,
        })),
      };
    },
  ),
  operation(
    'publish_public_report',
    '2.0,2.1 PUT /reports.public/:checkid',
    'make the report of a check public',
    { checkid: checkById },
    ({ checkid: check }, { world }) => {
      world.accountReports.published.add(check.id);
      return { message: 'The report was published' };
    },
  ),
  operation(
    'withdraw_public_report',
    '2.0,2.1 DELETE /reports.public/:checkid',
    'withdraw the public report of a check',
    { checkid: checkById },
    ({ checkid: check }, { world }) => {
      world.accountReports.published.delete(check.id);
      return { message: 'The report was withdrawn' };
    },
  ),
];

/** A banner in the form of the list (legacy versions, section 2.5). */
function wireBanner({ id, checkId, type, period }: Banner, { world }: OperationContext) {
  return {
    id: String(id),
    name: world.check(checkId)?.name,
    checkid: checkId,
    auto: period === undefined,
    type,
    url: `https://share.example.com/banners/${id}`,
    ...(period !== undefined && {
      fromyear: period.from.year,
      frommonth: period.from.month,
      fromday: period.from.day,
      toyear: period.to.year,
      tomonth: period.to.month,
      today: period.to.day,
    }),
  };
}

/** The fixed period of a banner: whole days, the first one not after the last one. */
const fixedPeriod = together<Banner['period']>(
  ['auto', 'fromyear', 'frommonth', 'fromday', 'toyear', 'tomonth', 'today'],
  (inputs) => {
    if (booleanParameter(inputs, 'auto', true)) return undefined;
    const from = dayParameter(inputs, 'from');
    const to = dayParameter(inputs, 'to');
    if (midnight(from) <= midnight(to)) return { from, to };
    throw new HttpError(400, 'The period must not end before it begins');
  },
);

function dayParameter(inputs: Inputs, end: 'from' | 'to'): CalendarDay {
  const part = (name: string, min: number, max: number) =>
    requiredParameter(name, integerParameter(inputs, name, { min, max }));
  const given = {
    year: part(`${end}year`, 2000, 9999),
    month: part(`${end}month`, 1, 12),
    day: part(`${end}day`, 1, 31),
  };
  if (new Date(midnight(given)).getUTCDate() !== given.day) {
    throw new HttpError(400, `Parameter ${end}day must be a day of the month, not ${given.day}`);
  }
  return given;
}

function midnight({ year, month, day }: CalendarDay): number {
  return Date.UTC(year, month - 1, day);
}

/** The shared reports. All of them are banners (legacy versions, section 4.6). */
export const sharedReportOperations: readonly Operation[] = [
  operation(
    'list_shared_reports',
    '2.0,2.1 GET /reports.shared',
    'list the shared banners',
    {},
    (_, context) => {
      const { world } = context;
      const listed = world.accountReports.banners.all.filter(({ checkId }) => world.check(checkId));
      return { shared: { banners: listed.map((each) => wireBanner(each, context)) } };
    },
  ),
  operation(
    'create_shared_report',
    '2.0,2.1 POST /reports.shared',
    'share a banner of a check',
    {
      sharedtype: required(oneOf('banner')),
      checkid: checkById,
      type: oneOf('uptime', 'response'),
      period: fixedPeriod,
    },
    ({ checkid: check, type = 'uptime', period }, { world }) => {
      world.accountReports.banners.add((id) => ({
        id,
        checkId: check.id,
        type,
        ...(period !== undefined && { period }),
      }));
      return { message: 'Creation of banner was successful!' };
    },
  ),
  operation(
    'delete_shared_report',
    '2.0,2.1 DELETE /reports.shared/:reportid',
    'delete a shared banner',
    { reportid: bannerById },
    ({ reportid: report }, { world }) => {
      world.accountReports.banners.remove(report.id);
      return { message: 'Deletion of banner was successful!' };
    },
  ),
];
