import type { Operation } from '../operation.ts';
import { required, textParameter, wordParameter } from '../query-parameters.ts';
import { identifiedPerson } from './identified.ts';
import type { Channel, Person } from './person.ts';

/** A user as version 2.1 shows it (legacy versions, section 2.4). */
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
    name: 'users',
    summary: 'list the users with their contact targets',
    method: 'get',
    path: '/users',
    versions: ['2.1'],
    parameters: [],
    body: 'none',
    run: (_inputs, { world }) => ({ users: world.people.people.map(wireUser) }),
  },
  {
    name: 'user.create',
    summary: 'create a user without contact targets',
    method: 'post',
    path: '/users',
    versions: ['2.1'],
    parameters: ['name'],
    body: 'form',
    run(inputs, { world }) {
      const name = required('name', textParameter(inputs, 'name'));
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
    name: 'user.modify',
    summary: 'rename, pause or resume a user',
    method: 'put',
    path: '/users/:userid',
    versions: ['2.1'],
    parameters: ['name', 'primary', 'paused'],
    body: 'form',
    run(inputs, context) {
      const person = identifiedPerson(inputs, context, 'userid');
      const name = required('name', textParameter(inputs, 'name'));
      wordParameter(inputs, 'primary', ['YES', 'NO']);
      const paused = wordParameter(inputs, 'paused', ['YES', 'NO']) === 'YES';
      context.world.people.changePerson(person, { name, paused });
      return { message: 'Modification of user was successful!' };
    },
  },
  {
    name: 'user.delete',
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
