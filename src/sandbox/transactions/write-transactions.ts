import { matchingInputs } from '../matching-inputs.ts';
import type { Operation, OperationContext } from '../operation.ts';
import { requireMembers } from '../people/identified.ts';
import { Refusal } from '../refusal.ts';
import { identifiedTransaction } from './identified-transaction.ts';
import { kindOfSteps } from './step.ts';
import type { Transaction } from './transaction.ts';
import {
  type ChangedSettings,
  changedSettings,
  createdSettings,
  settingNames,
} from './transaction-settings.ts';
import { detail } from './transaction-view.ts';

/** `POST /tms/check` (API 3.1, section 4.6). */
export const createTransaction: Operation = {
  name: 'transaction.create',
  summary: 'create a transaction check',
  method: 'post',
  path: '/tms/check',
  versions: ['3.1'],
  parameters: settingNames,
  body: 'json',
  run(inputs, context) {
    const settings = matchingInputs(createdSettings, inputs);
    requireRecipients(settings, context);
    const { id } = context.world.transactions.create(settings, context.now);
    return { check: { id, name: settings.name } };
  },
};

/** `PUT /tms/check/{cid}` (API 3.1, section 4.6). */
export const modifyTransaction: Operation = {
  name: 'transaction.modify',
  summary: 'change settings of a transaction check',
  method: 'put',
  path: '/tms/check/:cid',
  versions: ['3.1'],
  parameters: settingNames,
  body: 'json',
  run(inputs, context) {
    const transaction = identifiedTransaction(inputs, context, 'cid');
    const changes = matchingInputs(changedSettings, inputs);
    requireRecipients(changes, context);
    requireSameKind(transaction, changes);
    const modified = context.world.transactions.modify(transaction, changes, context.now);
    return { check: detail(modified, context, undefined) };
  },
};

/** `DELETE /tms/check/{cid}`. */
export const deleteTransaction: Operation = {
  name: 'transaction.delete',
  summary: 'delete a transaction check',
  method: 'delete',
  path: '/tms/check/:cid',
  versions: ['3.1'],
  parameters: [],
  body: 'none',
  run(inputs, context) {
    context.world.transactions.delete(identifiedTransaction(inputs, context, 'cid').id);
    return { message: 'Deletion of check was successful!' };
  },
};

function requireRecipients(settings: ChangedSettings, context: OperationContext): void {
  requireMembers(settings.contact_ids ?? [], context);
  const { people } = context.world;
  const noTeam = settings.team_ids?.find((id) => people.team(id) === undefined);
  if (noTeam !== undefined) throw new Refusal(400, `No team has the identifier ${noTeam}`);
}

function requireSameKind({ kind }: Transaction, { steps, metadata }: ChangedSettings): void {
  if (steps !== undefined && kindOfSteps(steps) !== kind) {
    throw new Refusal(400, `The steps of a ${kind} cannot become those of the other kind`);
  }
  if (metadata !== undefined && kind === 'script') {
    throw new Refusal(400, 'Parameter metadata is not valid: only a recording has metadata');
  }
}
