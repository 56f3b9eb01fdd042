import type { ApiVersion } from '../../domain/api-version.ts';
import type { SentAlert } from './alert.ts';

/** A sent message as the list of actions shows it (API 3.1, section 2.2; legacy versions, section 2.2). */
export function actionEntry(
  { check, alarm, recipient, status }: SentAlert,
  version: ApiVersion,
): object {
  const { time, kind, since } = alarm;
  const moment = new Date(since * 1000).toISOString();
  const state = kind === 'down' ? `down since ${moment}` : `up again; it was down since ${moment}`;
  const recipientFields =
    version === '2.0'
      ? { contactname: recipient.name, contactid: recipient.id }
      : { username: recipient.name, userid: recipient.id };
  return {
    ...recipientFields,
    checkid: check.id,
    time,
    via: recipient.via,
    status,
    messageshort: kind,
    messagefull: `${check.name} (${check.hostname}) is ${state}.`,
    sentto: recipient.address,
    charged: recipient.via === 'sms' && status !== 'nocredits',
  };
}
