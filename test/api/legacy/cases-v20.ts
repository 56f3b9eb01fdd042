import { type Case, checkId, from, listing, period, to } from './case.ts';
import {
  basicCredits,
  detailEntry,
  knownProbe,
  listEntry,
  listedCheck,
  probe,
  sentAction,
  sentAlert,
} from './wire-samples.ts';

/** Operations that only version 2.0 has, or has in this form. */
export const casesOfV20: readonly Case[] = [
  {
    operation: 'list_checks',
    call: (service, signal) => service.listChecks(signal),
    path: '/checks',
    query: { include_tags: 'true', limit: '25000', offset: '0' },
    reply: { checks: [listEntry] },
    answer: listing(listedCheck),
  },
  {
    operation: 'get_check',
    call: (service, signal) => service.check({ checkId }, signal),
    path: '/checks/85975',
    query: {},
    reply: {
      check: {
        ...detailEntry,
        contactids: [111250, 111251],
        sendtoemail: true,
        sendtosms: false,
        sendtosocial: false,
        sendtopusha: false,
        sendtopushb: false,
      },
    },
    answer: { recipients: { contact: 2 } },
  },
  {
    operation: 'get_credits',
    call: (service, signal) => service.credits(signal),
    path: '/credits',
    query: {},
    reply: { credits: basicCredits },
    answer: {
      checkLimit: 50,
      checksAvailable: 12,
      smsAvailable: 152,
      smsTestsAvailable: 150,
      smsAutofillEnabled: false,
    },
  },
  {
    operation: 'list_probes',
    call: (service, signal) => service.listProbes(signal),
    path: '/probes',
    query: {},
    reply: { probes: [probe] },
    answer: listing(knownProbe),
  },
  {
    operation: 'list_actions',
    call: (service, signal) => service.listActions(period, signal),
    path: '/actions',
    query: { from, to, limit: '300', offset: '0' },
    reply: { actions: { alerts: [{ ...sentAlert, contactname: 'John Doe', contactid: 111250 }] } },
    answer: listing(sentAction),
  },
  {
    operation: 'list_contacts',
    call: (service, signal) => service.listContacts(signal),
    path: '/contacts',
    query: { limit: '100', offset: '0' },
    reply: {
      contacts: [
        {
          id: 111250,
          name: 'John Doe',
          email: 'john@example.com',
          cellphone: '46-5555555',
          countryiso: 'SE',
          defaultsmsprovider: 'a',
          directsocial: false,
          socialuser: 'joteamdoe',
          pushatokens: ['tok-1'],
          pushbtokens: [],
          paused: false,
        },
      ],
    },
    answer: listing({
      id: 111250,
      type: 'contact',
      paused: false,
      targets: [
        { medium: 'email', severity: 'unknown', count: 1 },
        { medium: 'sms', severity: 'unknown', count: 1 },
        { medium: 'social', severity: 'unknown', count: 1 },
        { medium: 'pusha', severity: 'unknown', count: 1 },
      ],
    }),
  },
  {
    operation: 'list_email_reports',
    call: (service, signal) => service.listEmailReports(signal),
    path: '/reports.email',
    query: {},
    reply: {
      subscriptions: [
        {
          id: 1,
          name: 'Daily',
          type: 'email',
          checkid: 85975,
          frequency: 'daily',
          contactids: [1],
        },
      ],
    },
    answer: listing({ id: 1, frequency: 'daily', checkId: 85975 }),
  },
];
