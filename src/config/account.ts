import { z } from 'zod';
import type { ListFilter } from '../api/filtered-service.ts';
import type { Authentication } from '../api/http/authentication.ts';
import { defaultMaxBodyBytes } from '../api/http/client.ts';
import type { ConnectionOptions } from '../api/http/connection.ts';
import { defaultTimeouts, type Timeouts } from '../api/http/limits.ts';
import type { Reserves } from '../budget/reserve.ts';
import { type TransactionResponseUnit, transactionResponseUnits } from '../domain/transaction.ts';
import { type ApiVersion, apiVersions } from '../domain/version.ts';
import type { DatasetChoices } from '../schedule/demand.ts';
import { isProxyAddress } from './addresses.ts';
import { budgetSchema } from './budget.ts';
import { isEmail } from './credentials.ts';
import { datasetsSchema } from './datasets.ts';
import {
  byteSizeField,
  choiceField,
  durationField,
  field,
  listField,
  switchField,
  textField,
  textWith,
  wholeNumberField,
} from './fields.ts';
import { filterSchema } from './filter.ts';
import { formatDuration } from './quantities.ts';

/** An account to watch. What is absent is as it is by default. */
export interface AccountSettings extends ConnectionOptions {
  /** The value of the `account` label. */
  readonly name: string;
  readonly baseUrl: string;
  readonly version: ApiVersion;
  readonly authentication: Authentication;
  readonly reserve?: Reserves;
  readonly fallbackRequestsPerHour?: number;
  /** Which checks and transactions are watched; all without it. */
  readonly filter?: ListFilter;
  readonly datasets?: DatasetChoices;
  /** Averages are fetched by country too. */
  readonly byCountry?: boolean;
  /** Upper bounds of the response-time histogram, in seconds. */
  readonly responseTimeBounds?: readonly number[];
  /** Told by the data where it is absent. */
  readonly transactionResponseUnit?: TransactionResponseUnit;
  readonly timeouts?: Partial<Timeouts>;
  readonly maxBodyBytes?: number;
  /** Requests under way at the same time. */
  readonly concurrency?: number;
  /** The same for settings that were read from the same; without it they are unlike all others. */
  readonly digest?: string;
}

/** One line of text; it becomes the value of a label. */
export function isAccountName(text: string): boolean {
  return /^[^\p{Cc}]{1,200}$/u.test(text);
}

export const defaultConcurrency = 4;
/** In seconds. */
export const defaultResponseTimeBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

const nameSchema = textWith(
  {
    description: 'Value of the label `account`, and where its counters are stored. Unique.',
    allowed: 'one line of text (a number needs quotes)',
  },
  isAccountName,
);

/** YAML reads an unquoted 2.0 as the number 2. */
export const versionSchema = field(
  {
    description: 'Version of the API.',
    allowed: `${apiVersions.join(', ')}`,
    defaultText: '3.1',
  },
  (value) => {
    const text = typeof value === 'number' ? value.toFixed(1) : value;
    return typeof value === 'number' && Number(text) !== value
      ? undefined
      : apiVersions.find((version) => version === text);
  },
);

const secret = (description: string) =>
  textField({ description, hidden: true }, 'text (a number needs quotes)');
const secretFile = (what: string) =>
  textField({ description: `File that holds the ${what}.`, hidden: true }, 'the path of a file');

const credentials = {
  token: secret('API token with read access (API 3.1).').optional(),
  token_file: secretFile('token').optional(),
  email: textWith(
    {
      description: 'E-mail address of the user (API 2.x).',
      allowed: 'an e-mail address',
      hidden: true,
    },
    isEmail,
  ).optional(),
  password: secret('Password of the user (API 2.x).').optional(),
  password_file: secretFile('password').optional(),
  app_key: secret('Application key (API 2.x).').optional(),
  app_key_file: secretFile('application key').optional(),
  account_email: textWith(
    {
      description: 'Account to act on, for a user of several accounts (API 2.x).',
      allowed: 'an e-mail address',
      hidden: true,
    },
    isEmail,
  ).optional(),
};

const timeout = (description: string, milliseconds: number) =>
  durationField(
    { description, defaultText: formatDuration(milliseconds / 1000) },
    0.1,
    600,
  ).optional();

const timeoutsSchema = z
  .strictObject({
    connect: timeout('To connect; not longer than `total`.', defaultTimeouts.connect),
    headers: timeout('From sending a request to the head of the reply.', defaultTimeouts.headers),
    body: timeout('The longest pause within a reply.', defaultTimeouts.body),
    total: timeout('For all of a request.', defaultTimeouts.total),
  })
  .superRefine(({ connect, total }, context) => {
    if (connect === undefined || total === undefined || connect <= total) return;
    const message = `total, ${formatDuration(total)}, or less`;
    context.addIssue({ code: 'custom', path: ['connect'], message });
  })
  .meta({ description: 'How long to wait for the service.' });

const boundsSchema = listField(
  {
    description: 'Upper bounds of the response-time histogram, in seconds. Others start it anew.',
    allowed: 'a list of 1 to 50 ascending numbers of seconds above 0',
    defaultText: `[${defaultResponseTimeBounds.join(', ')}]`,
  },
  (value): value is number => typeof value === 'number' && Number.isFinite(value) && value > 0,
).refine((bounds) => isAscending(bounds) && bounds.length <= 50, {
  error: 'a list of 1 to 50 ascending numbers of seconds above 0',
});

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));
}

export const accountSchema = z
  .strictObject({
    name: nameSchema,
    base_url: textField(
      {
        description:
          'Address of the service, without `/api`. It begins with `https://`; `http://` is for this machine itself.',
        hidden: true,
      },
      'an address such as https://api.example.com',
    ),
    insecure_http: switchField({
      description: 'Allows `http://` for other machines. Credentials then travel legibly.',
      defaultText: 'false',
    }).optional(),
    version: versionSchema.optional(),
    ...credentials,
    budget: budgetSchema.optional(),
    filters: filterSchema.optional(),
    datasets: datasetsSchema.optional(),
    by_country: switchField({
      description:
        'Also tell results and the average of a day apart by the country of the probe. The average then costs 4 requests per check in place of 3; the dataset `probes` is needed.',
      defaultText: 'false',
    }).optional(),
    response_time_buckets: boundsSchema.optional(),
    transaction_response_unit: choiceField(
      {
        description:
          'Unit in which the service gives the response times of transactions. It is documented as milliseconds; recorded accounts are answered in microseconds. `auto` tells it from the first response times, logs it, and keeps to it.',
        defaultText: 'auto',
      },
      ['auto', ...transactionResponseUnits],
    ).optional(),
    timeouts: timeoutsSchema.optional(),
    max_body_size: byteSizeField(
      {
        description: 'Longest reply that is read, decompressed.',
        defaultText: `${defaultMaxBodyBytes / 2 ** 20}MiB`,
      },
      '1MiB',
      '256MiB',
    ).optional(),
    ca_file: textField(
      {
        description:
          'File with the certificates (PEM) of the authorities to trust, in place of those that Node.js brings.',
      },
      'the path of a file',
    ).optional(),
    proxy: textWith(
      {
        description:
          'Proxy to reach the service through; `none` for none. Without it, `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` of the environment count.',
        allowed: 'none, or an address such as http://proxy.example.com:3128',
        hidden: true,
      },
      (text) => text === 'none' || isProxyAddress(text),
    ).optional(),
    concurrency: wholeNumberField(
      { description: 'Requests under way at the same time.', defaultText: `${defaultConcurrency}` },
      1,
      64,
    ).optional(),
  })
  .meta({ description: 'An account to watch.' });
