import { z } from 'zod';
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

export function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/.test(text) && URL.canParse(text.replaceAll('{id}', '1'));
}

const address = (description: string, defaultText?: string) =>
  textField({
    description,
    allowed: 'a web address, such as https://grafana.example.com',
    ...(defaultText !== undefined && { defaultText }),
    isAllowed: isWebAddress,
  }).optional();

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
