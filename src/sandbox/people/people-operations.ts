import type { Operation } from '../operation.ts';
import { alertingContactOperations } from './alerting-contacts.ts';
import { alertingTeamOperations } from './alerting-teams.ts';
import { legacyContactOperations } from './legacy-contacts.ts';
import { legacyTeamOperations } from './legacy-teams.ts';
import { userTargetOperations } from './user-targets.ts';
import { userOperations } from './users.ts';

export const peopleOperations: readonly Operation[] = [
  ...alertingTeamOperations,
  ...alertingContactOperations,
  ...userOperations,
  ...userTargetOperations,
  ...legacyTeamOperations,
  ...legacyContactOperations,
];
