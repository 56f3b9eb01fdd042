import type { Operation, OperationContext } from '../operation.ts';
import {
  type Inputs,
  integerParameter,
  required,
  textParameter,
  wordParameter,
} from '../query-parameters.ts';
import { Refusal } from '../refusal.ts';
import { identifiedPerson } from './identified.ts';
import { emailParameter, telephoneParameters } from './legacy-address.ts';
import { type NewTarget, type Person, severities, type Target } from './person.ts';

const defaultProvider = 'sms_provider_e';
const parameters = ['email', 'number', 'countrycode', 'provider', 'severitylevel'];
const onePath = '/users/:userid/:targetid';

/** What the parameters name as a target; `undefined` when neither an address nor a number is among them. */
function givenTarget(inputs: Inputs): NewTarget | undefined {
  const severity = wordParameter(inputs, 'severitylevel', severities) ?? 'HIGH';
  const provider = textParameter(inputs, 'provider') ?? defaultProvider;
  const address = emailParameter(inputs) || undefined;
  const given = telephoneParameters(inputs, 'number');
  const telephone = given?.number === '' ? undefined : given;
  if (address !== undefined && telephone !== undefined) {
    throw new Refusal(400, 'Parameters email and number must not be given together');
  }
  if (address !== undefined) return { channel: 'email', value: { severity, address } };
  if (telephone === undefined) return undefined;
  return { channel: 'sms', value: { severity, ...telephone, provider } };
}

function identifiedTarget(inputs: Inputs, { targets }: Person): Target {
  const id = required('targetid', integerParameter(inputs, 'targetid', { min: 0 }));
  const target = targets.find((each) => each.id === id);
  if (target === undefined) throw new Refusal(404, `No contact target has the identifier ${id}`);
  return target;
}

function modifyTarget(inputs: Inputs, context: OperationContext): object {
  const person = identifiedPerson(inputs, context, 'userid');
  const target = identifiedTarget(inputs, person);
  const given = givenTarget(inputs);
  const severity = wordParameter(inputs, 'severitylevel', severities) ?? 'HIGH';
  const changed = given ?? { ...target, value: { ...target.value, severity } };
  context.world.people.changeTarget(person, { ...changed, id: target.id } as Target);
  return { message: 'Modification of contact target was successful!' };
}

/** The contact targets of users in version 2.1 (legacy versions, section 4.4). */
export const userTargetOperations: readonly Operation[] = [
  {
    name: 'user.target.create',
    summary: 'give a user an e-mail address or a telephone number',
    method: 'post',
    path: '/users/:userid',
    versions: ['2.1'],
    parameters,
    body: 'form',
    run(inputs, context) {
      const person = identifiedPerson(inputs, context, 'userid');
      const given = givenTarget(inputs);
      if (given === undefined) throw new Refusal(400, 'Parameter email or number is required');
      return { contact_target: { id: context.world.people.addTarget(person, given).id } };
    },
  },
  {
    name: 'user.target.modify',
    summary: 'change a contact target of a user',
    method: 'put',
    path: onePath,
    versions: ['2.1'],
    parameters,
    body: 'form',
    run: modifyTarget,
  },
  {
    // The documentation lists PUT, and its example uses POST.
    name: 'user.target.modify.post',
    summary: 'change a contact target of a user, by the method of the example',
    method: 'post',
    path: onePath,
    versions: ['2.1'],
    parameters,
    body: 'form',
    run: modifyTarget,
  },
  {
    name: 'user.target.delete',
    summary: 'delete a contact target of a user',
    method: 'delete',
    path: onePath,
    versions: ['2.1'],
    parameters: [],
    body: 'none',
    run(inputs, context) {
      const person = identifiedPerson(inputs, context, 'userid');
      context.world.people.removeTarget(person, identifiedTarget(inputs, person).id);
      return { message: 'Deletion of contact target was successful!' };
    },
  },
];
