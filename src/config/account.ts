import { z } from 'zod';
import type { ListFilter } from '../api/filtered-service.ts';
import type { Authentication } from '../api/http/authentication.ts';
import type { ConnectionOptions } from '../api/http/connection.ts';
import { defaultMaxBodyBytes, defaultTimeouts, type Timeouts } from '../api/http/limits.ts';
import type { Reserves } from '../budget/reserve.ts';
import { type TransactionResponseUnit, transactionResponseUnits } from '../domain/transaction.ts';
import { type ApiVersion, apiVersions } from '../domain/version.ts';
import { reportSentence } from '../lib/schema-problems.ts';
import type { Secret } from '../lib/secret.ts';
import type { DatasetChoices } from '../schedule/demand.ts';
import { budgetSchema } from './budget.ts';
import { isEmail } from './credentials.ts';
import { datasetsSchema } from './datasets.ts';
import {
  byteSizeField,
  choiceField,
  durationField,
  field,
  formatDuration,
  isProxyAddress,
  isText,
  listField,
  switchField,
  textField,
  wholeNumberField,
} from './fields.ts';
import { filterSchema } from './filter.ts';

/** The settings of a monitored account. Absent settings have their defaults. */
export interface AccountSettings extends ConnectionOptions {
  /** The value of the `account` label. */
  readonly name: string;
  readonly baseUrl: string;
  readonly version: ApiVersion;
  readonly authentication: Authentication;
  readonly reserve?: Reserves;
  readonly fallbackRequestsPerHour?: number;
  /** Selects the monitored checks and transactions; by default all. */
  readonly filter?: ListFilter;
  readonly datasets?: DatasetChoices;
  /** Adds averages and counts of results by country. */
  readonly byCountry?: boolean;
  /** Upper bounds of the response-time histogram, in seconds. */
  readonly responseTimeBounds?: readonly number[];
  /** Detected from the data when it is absent. */
  readonly transactionResponseUnit?: TransactionResponseUnit;
  readonly timeouts?: Partial<Timeouts>;
  readonly maxBodyBytes?: number;
  /** Maximum number of requests in flight. */
  readonly concurrency?: number;
  /** Secret of the webhook that requests a listing; without it there is no webhook. */
  readonly hookSecret?: Secret;
  /** A digest of the sources of the settings. Settings without a digest count as changed. */
  readonly digest?: string;
}

/**
 * A name is one line without control characters and overrides of direction, because it becomes the
 * value of a label, and a segment of paths, which "." and ".." would leave.
 */
function isAccountName(text: string): boolean {
  return isText(text) && /^(?!\.{1,2}$)[^\p{Cc}\u202a-\u202e\u2066-\u2069]{1,200}$/u.test(text);
}

export const defaultVersion: ApiVersion = '3.1';
export const defaultConcurrency = 4;
/** In seconds. */
export const defaultResponseTimeBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

const nameSchema = textField({
  description: 'Value of the label `account`; counters are stored under it. Must be unique.',
  allowed:
    'one line of text of at most 200 characters, but for "." and ".." (a number needs quotes)',
  isAllowed: isAccountName,
});

/** An unquoted 2.0 is the number 2 in YAML. */
export const versionSchema = field(
  {
    description: 'Version of the API.',
    allowed: apiVersions.join(', '),
    defaultText: defaultVersion,
    // Not in one enum: santhosh-tekuri/jsonschema 6.0.2, which Helm uses, takes "3.1" and 3.1 for one value.
    json: { anyOf: [{ enum: [...apiVersions] }, { enum: apiVersions.map(Number) }] },
  },
  (value) => {
    const text = typeof value === 'number' ? value.toFixed(1) : value;
    return typeof value === 'number' && Number(text) !== value
      ? undefined
      : apiVersions.find((version) => version === text);
  },
);

const secret = (description: string) =>
  textField({ description, hidden: true, allowed: 'text (a number needs quotes)' });
const secretFile = (what: string) =>
  textField({ description: `File with the ${what}.`, hidden: true, allowed: 'the path of a file' });

const hook = {
  hook_secret: secret(
    "Secret of the webhook `POST /hooks/SECRET`, which asks for the account's check list at once; 16 to 128 letters, digits, `-` and `_`. Without it there is no hook.",
  ).optional(),
  hook_secret_file: secretFile('secret of the webhook').optional(),
};

const credentials = {
  token: secret('API token with read access (API 3.1).').optional(),
  token_file: secretFile('token').optional(),
  email: textField({
    description: 'E-mail address of the user (API 2.x).',
    allowed: 'an e-mail address',
    hidden: true,
    isAllowed: isEmail,
  }).optional(),
  password: secret('Password of the user (API 2.x).').optional(),
  password_file: secretFile('password').optional(),
  app_key: secret('Application key (API 2.x).').optional(),
  app_key_file: secretFile('application key').optional(),
  account_email: textField({
    description: 'Account to read, for a user with several accounts (API 2.x).',
    allowed: 'an e-mail address',
    hidden: true,
    isAllowed: isEmail,
  }).optional(),
};

const timeout = (description: string, milliseconds: number) =>
  durationField({
    description,
    defaultText: formatDuration(milliseconds / 1000),
    min: 0.1,
    max: 600,
  }).optional();

const timeoutsSchema = z
  .strictObject({
    connect: timeout(
      'Time to connect, and as long again for a proxy to answer CONNECT.',
      defaultTimeouts.connect,
    ),
    headers: timeout(
      'Time from the start of a request, connecting included, to the response headers.',
      defaultTimeouts.headers,
    ),
    body: timeout('Longest pause within a response body.', defaultTimeouts.body),
    total: timeout(
      'Time for the whole request. The others must not exceed it; if it is not given, it is at least as long as the longest of them.',
      defaultTimeouts.total,
    ),
  })
  .superRefine(({ total, ...parts }, context) => {
    if (total === undefined) return;
    const limit = formatDuration(total);
    for (const [name, seconds] of Object.entries(parts)) {
      if (seconds === undefined || seconds <= total) continue;
      const message = `found ${formatDuration(seconds)}; must be ${limit} or less, because total is ${limit}`;
      reportSentence(context, [name], message);
    }
  })
  .meta({ description: 'Timeouts of API requests.' });

const allowedBounds = 'a list of 1 to 50 ascending numbers of seconds above 0';

const boundsSchema = listField({
  description:
    'Upper bounds of the response-time histogram, in seconds. Changing them resets the histogram.',
  allowed: allowedBounds,
  defaultText: `[${defaultResponseTimeBounds.join(', ')}]`,
  item: { type: 'number', exclusiveMinimum: 0 },
  isEntry: (value): value is number =>
    typeof value === 'number' && Number.isFinite(value) && value > 0,
}).refine((bounds) => isAscending(bounds) && bounds.length <= 50, {
  error: allowedBounds,
});

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));
}

export const accountSchema = z
  .strictObject({
    name: nameSchema,
    base_url: textField({
      description:
        'Address of the service, without `/api`. Must use `https://`, except for loopback addresses.',
      hidden: true,
      allowed: 'an address such as https://api.example.com',
    }),
    insecure_http: switchField({
      description: 'Allows `http://` for other hosts. Credentials are then sent in clear text.',
      defaultText: 'false',
    }).optional(),
    version: versionSchema.optional(),
    ...credentials,
    ...hook,
    budget: budgetSchema.optional(),
    filters: filterSchema.optional(),
    datasets: datasetsSchema.optional(),
    by_country: switchField({
      description:
        'Also count results and the daily average by the country of the probe. The average then costs 4 requests per check instead of 3. Needs the dataset `probes`.',
      defaultText: 'false',
    }).optional(),
    response_time_buckets: boundsSchema.optional(),
    transaction_response_unit: choiceField({
      description:
        'Unit of the transaction response times that the service reports. The API documents milliseconds; recorded accounts receive microseconds. `auto` detects it from the first response that shows it, logs it and keeps it.',
      defaultText: 'auto',
      choices: ['auto', ...transactionResponseUnits],
    }).optional(),
    timeouts: timeoutsSchema.optional(),
    max_body_size: byteSizeField({
      description: 'Largest decompressed response body.',
      defaultText: `${defaultMaxBodyBytes / 2 ** 20}MiB`,
      min: '1MiB',
      max: '256MiB',
    }).optional(),
    ca_file: textField({
      description:
        'File with the CA certificates (PEM) to trust instead of those built into Node.js.',
      allowed: 'the path of a file',
    }).optional(),
    proxy: textField({
      description:
        'Proxy to use; `none` for no proxy. By default the environment variables `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` apply.',
      allowed: 'none, or an address without a path, such as http://proxy.example.com:3128',
      hidden: true,
      isAllowed: (text) => text === 'none' || isProxyAddress(text),
    }).optional(),
    concurrency: wholeNumberField({
      description: 'Maximum number of requests in flight.',
      defaultText: `${defaultConcurrency}`,
      min: 1,
      max: 64,
    }).optional(),
  })
  .meta({ description: 'A monitored account.' });
