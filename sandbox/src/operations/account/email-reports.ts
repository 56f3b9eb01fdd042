import { z } from 'zod';
import { frequencies, type SandboxEmailReport } from '../../account/account-reports.ts';
import { HttpError } from '../../server/http-error.ts';
import { listParameter, optionalBoolean, textParameter } from '../../server/parameters.ts';
import type { Operation, OperationContext } from '../operation.ts';
import { checkById, emailReportById, oneOf, people } from '../readers.ts';
import { type Given, only, operation, optional, type Reader } from '../table.ts';

export const emailAddress = z.string().regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address');

const emails: Reader<readonly string[] | undefined> = (inputs, name) => {
  if (inputs[name] === undefined) return undefined;
  const given = listParameter(inputs, name);
  const wrong = given.find((email) => !emailAddress.safeParse(email).success);
  if (wrong === undefined) return given;
  throw new HttpError(400, `Parameter ${name} must be e-mail addresses, not "${wrong}"`);
};

const fields = {
  name: textParameter,
  checkid: optional(checkById),
  frequency: oneOf(...frequencies),
  additionalemails: emails,
  contactids: only(['2.0'], people),
  include_paused: only(['2.1'], optionalBoolean),
};

/** The subscription with the values of the parameters. Throws a 400 without a name. */
function changed(before: SandboxEmailReport, given: Given<typeof fields>): SandboxEmailReport {
  const name = given.name ?? before.name;
  if (name === '') throw new HttpError(400, 'Parameter name is required');
  return {
    ...before,
    name,
    ...(given.checkid !== undefined && { checkId: given.checkid.id }),
    frequency: given.frequency ?? before.frequency,
    additionalEmails: given.additionalemails ?? before.additionalEmails,
    contactIds: given.contactids ?? before.contactIds,
    includePaused: given.include_paused ?? before.includePaused,
  };
}

const blank = {
  name: '',
  frequency: 'monthly',
  additionalEmails: [],
  contactIds: [],
  includePaused: true,
} as const;

/** A subscription in the form of its version (legacy versions, section 2.5). */
function wireReport(report: SandboxEmailReport, { version, world }: OperationContext): object {
  const { id, checkId, contactIds, includePaused } = report;
  const recipients = world.people.people.known(contactIds).map((person) => person.id);
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

/** The subscriptions to reports by e-mail (legacy versions, section 4.6). */
export const emailReportOperations: readonly Operation[] = [
  operation(
    'list_email_reports',
    '2.0,2.1 GET /reports.email',
    'list the subscriptions to reports by e-mail',
    {},
    (_, context) => {
      const { world } = context;
      const listed = world.accountReports.email.all.filter(
        ({ checkId }) => checkId === undefined || world.check(checkId) !== undefined,
      );
      return { subscriptions: listed.map((report) => wireReport(report, context)) };
    },
  ),
  operation(
    'create_email_report',
    '2.0,2.1 POST /reports.email',
    'subscribe to a report by e-mail',
    fields,
    (given, { world }) => {
      const report = changed({ ...blank, id: 0 }, given);
      world.accountReports.email.add((id) => ({ ...report, id }));
      return { message: 'Creation of report was successful!' };
    },
  ),
  operation(
    'modify_email_report',
    '2.0,2.1 PUT /reports.email/:reportid',
    'change a subscription to a report by e-mail',
    { reportid: emailReportById, ...fields },
    ({ reportid: report, ...given }, { world }) => {
      world.accountReports.email.put(changed(report, given));
      return { message: 'Modification of report was successful!' };
    },
  ),
  operation(
    'delete_email_report',
    '2.0,2.1 DELETE /reports.email/:reportid',
    'end a subscription to a report by e-mail',
    { reportid: emailReportById },
    ({ reportid: report }, { world }) => {
      world.accountReports.email.remove(report.id);
      return { message: 'Deletion of report was successful!' };
    },
  ),
];
