import {
  type Channel,
  type NewTarget,
  type Person,
  severities,
  type Target,
} from '../../account/people.ts';
import { HttpError } from '../../server/http-error.ts';
import {
  enumParameter,
  type Inputs,
  integerParameter,
  requiredParameter,
  textParameter,
} from '../../server/parameters.ts';
import { identifiedPerson } from '../identified.ts';
import type { Operation, OperationContext } from '../operation.ts';
import { emailParameter, telephoneParameters } from './notification-targets.ts';

/** A user in the form of version 2.1 (legacy versions, section 2.4). */
function wireUser({ id, name, paused, targets }: Person): object {
  const ofChannel = (wanted: Channel) =>
    targets
      .filter(({ channel }) => channel === wanted)
      .map((target) => ({ id: target.id, ...target.value }));
  return {
    id,
    name,
    paused: paused ? 'YES' : 'NO',
    sms: ofChannel('sms'),
    email: ofChannel('email'),
  };
}

/** The users of version 2.1 (legacy versions, section 4.4). */
export const userOperations: readonly Operation[] = [
  {
    name: 'list_contacts',
    summary: 'list the users with their contact targets',
    method: 'get',
    path: '/users',
    versions: ['2.1'],
    parameters: [],
    body: 'none',
    run: (_inputs, { world }) => ({ users: world.people.people.map(wireUser) }),
  },
  {
    name: 'create_user',
    summary: 'create a user without contact targets',
    method: 'post',
    path: '/users',
    versions: ['2.1'],
    parameters: ['name'],
    body: 'form',
    run(inputs, { world }) {
      const name = requiredParameter('name', textParameter(inputs, 'name'));
      const { id } = world.people.addPerson({
        name,
        kind: 'user',
        owner: false,
        paused: false,
        directSocial: true,
        targets: [],
      });
      return { user: { id } };
    },
  },
  {
    name: 'modify_user',
    summary: 'rename, pause or resume a user',
    method: 'put',
    path: '/users/:userid',
    versions: ['2.1'],
    parameters: ['name', 'primary', 'paused'],
    body: 'form',
    run(inputs, context) {
      const person = identifiedPerson(inputs, context, 'userid');
      const name = requiredParameter('name', textParameter(inputs, 'name'));
      enumParameter(inputs, 'primary', ['YES', 'NO']);
      const paused = enumParameter(inputs, 'paused', ['YES', 'NO']) === 'YES';
      context.world.people.changePerson(person, { name, paused });
      return { message: 'Modification of user was successful!' };
    },
  },
  {
    name: 'delete_user',
    summary: 'delete a user',
    method: 'delete',
    path: '/users/:userid',
    versions: ['2.1'],
    parameters: [],
    body: 'none',
    run(inputs, context) {
      context.world.people.removePerson(identifiedPerson(inputs, context, 'userid').id);
      return { message: 'Deletion of user was successful!' };
    },
  },
];

const defaultProvider = 'sms_provider_e';
const parameters = ['email', 'number', 'countrycode', 'provider', 'severitylevel'];
const onePath = '/users/:userid/:targetid';

/**
 * The target that the parameters describe; undefined if they have neither an address nor a number.
 */
function givenTarget(inputs: Inputs): NewTarget | undefined {
  const severity = enumParameter(inputs, 'severitylevel', severities) ?? 'HIGH';
  const provider = textParameter(inputs, 'provider') ?? defaultProvider;
  const address = emailParameter(inputs) || undefined;
  const given = telephoneParameters(inputs, 'number');
  const telephone = given?.number === '' ? undefined : given;
  if (address !== undefined && telephone !== undefined) {
    throw new HttpError(400, 'Parameters email and number must not be given together');
  }
  if (address !== undefined) return { channel: 'email', value: { severity, address } };
  if (telephone === undefined) return undefined;
  return { channel: 'sms', value: { severity, ...telephone, provider } };
}

function identifiedTarget(inputs: Inputs, { targets }: Person): Target {
  const id = requiredParameter('targetid', integerParameter(inputs, 'targetid', { min: 0 }));
  const target = targets.find((each) => each.id === id);
  if (target === undefined) throw new HttpError(404, `No contact target has the identifier ${id}`);
  return target;
}

function modifyTarget(inputs: Inputs, context: OperationContext): object {
  const person = identifiedPerson(inputs, context, 'userid');
  const target = identifiedTarget(inputs, person);
  const given = givenTarget(inputs);
  const severity = enumParameter(inputs, 'severitylevel', severities) ?? 'HIGH';
  const changed = given ?? { ...target, value: { ...target.value, severity } };
  context.world.people.changeTarget(person, { ...changed, id: target.id } as Target);
  return { message: 'Modification of contact target was successful!' };
}

/** The contact targets of users in version 2.1 (legacy versions, section 4.4). */
export const userTargetOperations: readonly Operation[] = [
  {
    name: 'create_user_target',
    summary: 'give a user an e-mail address or a telephone number',
    method: 'post',
    path: '/users/:userid',
    versions: ['2.1'],
    parameters,
    body: 'form',
    run(inputs, context) {
      const person = identifiedPerson(inputs, context, 'userid');
      const given = givenTarget(inputs);
      if (given === undefined) throw new HttpError(400, 'Parameter email or number is required');
      return { contact_target: { id: context.world.people.addTarget(person, given).id } };
    },
  },
  {
    name: 'modify_user_target',
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
    name: 'post_user_target',
    summary: 'change a contact target of a user, by the method of the example',
    method: 'post',
    path: onePath,
    versions: ['2.1'],
    parameters,
    body: 'form',
    run: modifyTarget,
  },
  {
    name: 'delete_user_target',
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
