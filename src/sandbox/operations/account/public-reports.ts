import { identifiedCheck } from '../identified.ts';
import type { Operation } from '../operation.ts';

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
