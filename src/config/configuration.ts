import { z } from 'zod';
import type { LabelPolicy } from '../exposition/labels/label-policy.ts';
import { logFormats, logLevels } from '../lib/log.ts';
import type { SloPolicy } from '../windows/groups.ts';
import { type AccountSettings, accountSchema } from './account.ts';
import { choiceField, textField, textWith, wholeNumberField } from './fields.ts';
import { labelsSchema } from './labels.ts';
import { type LinkSettings, linksSchema } from './links.ts';
import { groupsSchema, objectivesSchema } from './objectives-schema.ts';
import { defaultServing, type Serving, telemetryPathProblem } from './serving.ts';

/** The contents of a configuration file. */
export interface Configuration {
  /** Only what the file sets. Flags override it, and defaults fill in the rest. */
  readonly serving: Partial<Serving>;
  readonly labels: LabelPolicy;
  readonly slo: SloPolicy;
  readonly links: LinkSettings;
  readonly accounts: readonly AccountSettings[];
  /** The file as a value, without secrets. */
  readonly shown: unknown;
}

const webSchema = z
  .strictObject({
    listen_address: textField(
      {
        description: 'Address to listen on.',
        defaultText: defaultServing.listenAddress,
      },
      'an address such as ":9158" or "127.0.0.1:9158"',
    ).optional(),
    telemetry_path: textWith(
      {
        description: 'Path of the metrics.',
        allowed: 'a path that begins with a slash, has no query and is not below /-/',
        defaultText: defaultServing.telemetryPath,
      },
      (text) => telemetryPathProblem(text) === undefined,
    ).optional(),
    max_requests: wholeNumberField(
      {
        description: 'Maximum number of parallel scrapes; further ones get 503. 0 means no limit.',
        defaultText: `${defaultServing.maxRequests}`,
      },
      0,
    ).optional(),
  })
  .meta({ description: 'HTTP server.' });

const storageSchema = z
  .strictObject({
    path: textField(
      {
        description: 'Directory that keeps counters and data across restarts.',
        defaultText: defaultServing.storagePath,
      },
      'the path of a directory',
    ).optional(),
  })
  .meta({ description: 'Storage.' });

const logSchema = z
  .strictObject({
    level: choiceField(
      { description: 'Minimum level of logged lines.', defaultText: defaultServing.logLevel },
      logLevels,
    ).optional(),
    format: choiceField(
      { description: 'Log format.', defaultText: defaultServing.logFormat },
      logFormats,
    ).optional(),
  })
  .meta({ description: 'Logging.' });

export const configurationSchema = z.strictObject({
  web: webSchema.optional(),
  storage: storageSchema.optional(),
  log: logSchema.optional(),
  labels: labelsSchema.optional(),
  objectives: objectivesSchema.optional(),
  groups: groupsSchema.optional(),
  links: linksSchema.optional(),
  accounts: z
    .array(accountSchema)
    .min(1)
    .meta({ description: 'The monitored accounts, at least one.' }),
});
