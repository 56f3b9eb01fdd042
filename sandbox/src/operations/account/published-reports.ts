import type { Banner, CalendarDay } from '../../account/account-reports.ts';
import { HttpError } from '../../server/http-error.ts';
import {
  booleanParameter,
  enumParameter,
  type Inputs,
  integerParameter,
  requiredParameter,
} from '../../server/parameters.ts';
import { identifiedCheck } from '../identified.ts';
import type { Operation, OperationContext } from '../operation.ts';

const versions = ['2.0', '2.1'] as const;

/** The public reports (legacy versions, section 4.6). */
export const publicReportOperations: readonly Operation[] = [
  {
    name: 'list_public_reports',
    summary: 'list the checks whose report is public',
    method: 'get',
    path: '/reports.public',
    versions,
    parameters: [],
    body: 'none',
    run(_inputs, { world }) {
      const entries = [...world.accountReports.published]
        .flatMap((id) => world.check(id) ?? [])
        .map(({ id, name }) => ({
          checkid: id,
          checkname: name,
          reporturl: `https://reports.example.com/demo/${id}`,
        }));
      return { public: entries };
    },
  },
  {
    name: 'publish_public_report',
    summary: 'make the report of a check public',
    method: 'put',
    path: '/reports.public/:checkid',
    versions,
    parameters: [],
    body: 'none',
    run(inputs, context) {
      context.world.accountReports.published.add(identifiedCheck(inputs, context).id);
      return { message: 'The report was published' };
    },
  },
  {
    name: 'withdraw_public_report',
    summary: 'withdraw the public report of a check',
    method: 'delete',
    path: '/reports.public/:checkid',
    versions,
    parameters: [],
    body: 'none',
    run(inputs, context) {
      context.world.accountReports.published.delete(identifiedCheck(inputs, context).id);
      return { message: 'The report was withdrawn' };
    },
  },
];

const dayParameters = ['fromyear', 'frommonth', 'fromday', 'toyear', 'tomonth', 'today'];

/** A banner in the form of the list (legacy versions, section 2.5). */
function wireBanner(id: number, { checkId, type, period }: Banner, { world }: OperationContext) {
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
function periodParameters(inputs: Inputs): NonNullable<Banner['period']> {
  const from = dayParameter(inputs, 'from');
  const to = dayParameter(inputs, 'to');
  if (midnight(from) > midnight(to)) {
    throw new HttpError(400, 'The period must not end before it begins');
  }
  return { from, to };
}

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
  {
    name: 'list_shared_reports',
    summary: 'list the shared banners',
    method: 'get',
    path: '/reports.shared',
    versions,
    parameters: [],
    body: 'none',
    run(_inputs, context) {
      const { world } = context;
      const banners = world.accountReports.banners.entries
        .filter(([, { checkId }]) => world.check(checkId) !== undefined)
        .map(([id, banner]) => wireBanner(id, banner, context));
      return { shared: { banners } };
    },
  },
  {
    name: 'create_shared_report',
    summary: 'share a banner of a check',
    method: 'post',
    path: '/reports.shared',
    versions,
    parameters: ['sharedtype', 'checkid', 'auto', 'type', ...dayParameters],
    body: 'form',
    run(inputs, context) {
      requiredParameter('sharedtype', enumParameter(inputs, 'sharedtype', ['banner']));
      const banner: Banner = {
        checkId: identifiedCheck(inputs, context).id,
        type: enumParameter(inputs, 'type', ['uptime', 'response']) ?? 'uptime',
        ...(!booleanParameter(inputs, 'auto', true) && { period: periodParameters(inputs) }),
      };
      context.world.accountReports.banners.add(banner);
      return { message: 'Creation of banner was successful!' };
    },
  },
  {
    name: 'delete_shared_report',
    summary: 'delete a shared banner',
    method: 'delete',
    path: '/reports.shared/:reportid',
    versions,
    parameters: [],
    body: 'none',
    run(inputs, { world }) {
      const id = requiredParameter('reportid', integerParameter(inputs, 'reportid', { min: 0 }));
      if (!world.accountReports.banners.delete(id)) {
        throw new HttpError(404, `No banner has the identifier ${id}`);
      }
      return { message: 'Deletion of banner was successful!' };
    },
  },
];
