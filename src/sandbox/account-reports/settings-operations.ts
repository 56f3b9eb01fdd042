import type { Operation } from '../operation.ts';
import { changedSettings } from './settings-changes.ts';
import { wireSettings } from './settings-view.ts';

const parameters = [
  'firstname',
  'lastname',
  'company',
  'email',
  'cellphone',
  'cellcountrycode',
  'cellcountryiso',
  'phone',
  'phonecountrycode',
  'phonecountryiso',
  'address',
  'address2',
  'zip',
  'location',
  'state',
  'countryiso',
  'vatcode',
  'autologout',
  'regionid',
  'timezoneid',
  'datetimeformatid',
  'numberformatid',
  'pubrcustomdesign',
  'pubrtextcolor',
  'pubrbackgroundcolor',
  'pubrlogourl',
  'pubrmonths',
  'pubrshowoverview',
  'pubrcustomdomain',
];

/** The settings of the account (legacy versions, section 4.8). A logo is accepted and, as documented, not used. */
export const settingsOperations: readonly Operation[] = [
  {
    name: 'settings',
    summary: 'read the settings of the account',
    method: 'get',
    path: '/settings',
    versions: ['2.0', '2.1'],
    parameters: [],
    body: 'none',
    run: (_inputs, { world, version }) => ({
      settings: wireSettings(world.accountReports.settings, version),
    }),
  },
  {
    name: 'settings.modify',
    summary: 'change settings of the account',
    method: 'put',
    path: '/settings',
    versions: ['2.0', '2.1'],
    parameters: (version) =>
      version === '2.1'
        ? [...parameters, 'billing_email', 'description', 'updaterenewal']
        : parameters,
    body: 'form',
    run(inputs, { world: { accountReports } }) {
      accountReports.settings = changedSettings(inputs, accountReports.settings);
      return { message: 'Modification of settings was successful!' };
    },
  },
];
