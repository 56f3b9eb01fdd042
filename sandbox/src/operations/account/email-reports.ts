import { frequencies, type SandboxEmailReport } from '../../account/account-reports.ts';
import { HttpError } from '../../server/http-error.ts';
import {
  booleanParameter,
  enumParameter,
  type Inputs,
  integerListParameter,
  integerParameter,
  listParameter,
  requiredParameter,
  textParameter,
} from '../../server/parameters.ts';
import type { ApiVersion } from '../../vocabulary.ts';
import { identifiedCheck, requireMembers } from '../identified.ts';
import type { Operation, OperationContext } from '../operation.ts';
import { emailAddress } from '../people/people-parameters.ts';

const versions = ['2.0', '2.1'] as const;

function parameters(version: ApiVersion): readonly string[] {
  const special = version === '2.0' ? 'contactids' : 'include_paused';
  return ['name', 'checkid', 'frequency', 'additionalemails', special];
}

/** A subscription in the form of its version (legacy versions, section 2.5). */
function wireReport(
  id: number,
  report: SandboxEmailReport,
  { version, world }: OperationContext,
): object {
  const { checkId, contactIds, includePaused } = report;
  const recipients = contactIds.filter((contactId) => world.people.person(contactId));
  return {
    id,
    name: report.name,
    type: checkId === undefined ? 'overview' : 'uptime',
    checkid: checkId,
    frequency: report.frequency,
    additionalemails: report.additionalEmails,
    ...(version === '2.0' ? { contactids: recipients } : { include_paused: includePaused }),
  };
}

/** `current` with the values of the parameters. Throws a 400 for an invalid value. */
function written(
  inputs: Inputs,
  context: OperationContext,
  current: SandboxEmailReport,
): SandboxEmailReport {
  const hasCheck = inputs.checkid !== undefined;
  return {
    ...current,
    name: requiredParameter('name', textParameter(inputs, 'name') ?? current.name),
    ...(hasCheck && { checkId: identifiedCheck(inputs, context).id }),
    frequency: enumParameter(inputs, 'frequency', frequencies) ?? current.frequency,
    additionalEmails: emailsParameter(inputs) ?? current.additionalEmails,
    contactIds: contactsParameter(inputs, context) ?? current.contactIds,
    includePaused: booleanParameter(inputs, 'include_paused', current.includePaused),
  };
}

function emailsParameter(inputs: Inputs): string[] | undefined {
  if (inputs.additionalemails === undefined) return undefined;
  const emails = listParameter(inputs, 'additionalemails');
  const wrong = emails.find((email) => !emailAddress.safeParse(email).success);
  if (wrong === undefined) return emails;
  throw new HttpError(400, `Parameter additionalemails must be e-mail addresses, not "${wrong}"`);
}

function contactsParameter(inputs: Inputs, context: OperationContext): number[] | undefined {
  if (inputs.contactids === undefined) return undefined;
  const ids = integerListParameter(inputs, 'contactids');
  requireMembers(ids, context);
  return ids;
}

function identifiedReport(
  inputs: Inputs,
  { world }: OperationContext,
): [number, SandboxEmailReport] {
  const id = requiredParameter('reportid', integerParameter(inputs, 'reportid', { min: 0 }));
  const report = world.accountReports.email.get(id);
  if (report === undefined) throw new HttpError(404, `No report has the identifier ${id}`);
  return [id, report];
}

/** The subscriptions to reports by e-mail (legacy versions, section 4.6). */
export const emailReportOperations: readonly Operation[] = [
  {
    name: 'list_email_reports',
    summary: 'list the subscriptions to reports by e-mail',
    method: 'get',
    path: '/reports.email',
    versions,
    parameters: [],
    body: 'none',
    run(_inputs, context) {
      const { world } = context;
      const subscriptions = world.accountReports.email.entries
        .filter(([, { checkId }]) => checkId === undefined || world.check(checkId) !== undefined)
        .map(([id, report]) => wireReport(id, report, context));
      return { subscriptions };
    },
  },
  {
    name: 'create_email_report',
    summary: 'subscribe to a report by e-mail',
    method: 'post',
    path: '/reports.email',
    versions,
    parameters,
    body: 'form',
    run(inputs, context) {
      context.world.accountReports.email.add(
        written(inputs, context, {
          name: '',
          frequency: 'monthly',
          additionalEmails: [],
          contactIds: [],
          includePaused: true,
        }),
      );
      return { message: 'Creation of report was successful!' };
    },
  },
  {
    name: 'modify_email_report',
    summary: 'change a subscription to a report by e-mail',
    method: 'put',
    path: '/reports.email/:reportid',
    versions,
    parameters,
    body: 'form',
    run(inputs, context) {
      const [id, report] = identifiedReport(inputs, context);
      context.world.accountReports.email.replace(id, written(inputs, context, report));
      return { message: 'Modification of report was successful!' };
    },
  },
  {
    name: 'delete_email_report',
    summary: 'end a subscription to a report by e-mail',
    method: 'delete',
    path: '/reports.email/:reportid',
    versions,
    parameters: [],
    body: 'none',
    run(inputs, context) {
      const [id] = identifiedReport(inputs, context);
      context.world.accountReports.email.delete(id);
      return { message: 'Deletion of report was successful!' };
    },
  },
];
