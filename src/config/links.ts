import { z } from 'zod';
import { present } from '../lib/present.ts';
import { textField } from './fields.ts';

/** External links of the views of checks and transactions. */
export interface LinkSettings {
  /** Addresses at the service; `{id}` is replaced by the id. */
  readonly check?: string;
  readonly transaction?: string;
  /** The root of Grafana. */
  readonly grafana?: string;
}

export const defaultLinks: LinkSettings = {
  check: 'https://my.pingdom.com/app/reports/uptime#check={id}',
};

/** Links are shown on pages and in alerts, so they must not contain a user or password. */
export function isWebAddress(text: string): boolean {
  const example = text.replaceAll('{id}', '1');
  if (!/^https?:\/\/\S+$/.test(text) || !URL.canParse(example)) return false;
  const { username, password } = new URL(example);
  return username === '' && password === '';
}

export const webAddress =
  'a web address without user and password, such as https://grafana.example.com';

const address = (description: string, defaultText?: string) =>
  textField(
    present({ description, allowed: webAddress, defaultText, isAllowed: isWebAddress }),
  ).optional();

const atService = '; `{id}` stands for its id.';

export const linksSchema = z
  .strictObject({
    check: address(
      `Address of a check at the service, for its page${atService}`,
      defaultLinks.check,
    ),
    transaction: address(`The same of a transaction${atService}`),
    grafana: address(
      'Root of the Grafana that has the dashboards of this exporter; pages link to them.',
    ),
  })
  .meta({ description: 'Links of the pages for people.' });
