import { z } from 'zod';
import type { LabelPolicy } from '../exposition/labels/label-policy.ts';
import { logFormats, logLevels } from '../lib/log.ts';
import type { SloPolicy } from '../windows/groups.ts';
import { type AccountSettings, accountSchema } from './account.ts';
import { choiceField, textField, textWith, wholeNumberField } from './fields.ts';
import { labelsSchema } from './labels.ts';
import { groupsSchema, objectivesSchema } from './objectives-schema.ts';
import { defaultServing, type Serving, telemetryPathProblem } from './serving.ts';

/** What a configuration file says. */
export interface Configuration {
  /** As far as the file says it; flags come before it, the defaults after it. */
  readonly serving: Partial<Serving>;
  readonly labels: LabelPolicy;
  readonly slo: SloPolicy;
  readonly accounts: readonly AccountSettings[];
  /** What it says, as it may be shown. */
  readonly shown: unknown;
}

const webSchema = z
  .strictObject({
    listen_address: textField(
      {
        description: 'Where to serve the metrics and pages.',
        defaultText: defaultServing.listenAddress,
      },
      'an address such as ":9158" or "127.0.0.1:9158"',
    ).optional(),
    telemetry_path: textWith(
      {
        description: 'Where the metrics are.',
        allowed: 'a path that begins with a slash, has no query and is not below /-/',
        defaultText: defaultServing.telemetryPath,
      },
      (text) => telemetryPathProblem(text) === undefined,
    ).optional(),
    max_requests: wholeNumberField(
      {
        description: 'Scrapes served at the same time, the rest get a 503; 0 for any number.',
        defaultText: `${defaultServing.maxRequests}`,
      },
      0,
    ).optional(),
  })
  .meta({ description: 'How the metrics are served.' });

const storageSchema = z
  .strictObject({
    path: textField(
      {
        description: 'Folder in which counters and data are kept across restarts.',
        defaultText: `${defaultServing.storagePath} in the folder where the exporter is started`,
      },
      'the path of a folder',
    ).optional(),
  })
  .meta({ description: 'What survives a restart.' });

const logSchema = z
  .strictObject({
    level: choiceField(
      { description: 'Lines of this level and above.', defaultText: defaultServing.logLevel },
      logLevels,
    ).optional(),
    format: choiceField(
      { description: 'Form of the log.', defaultText: defaultServing.logFormat },
      logFormats,
    ).optional(),
  })
  .meta({ description: 'What is logged.' });

export const configurationSchema = z.strictObject({
  web: webSchema.optional(),
  storage: storageSchema.optional(),
  log: logSchema.optional(),
  labels: labelsSchema.optional(),
  objectives: objectivesSchema.optional(),
  groups: groupsSchema.optional(),
  accounts: z
    .array(accountSchema)
    .min(1)
    .meta({ description: 'The accounts to watch, at least one.' }),
});
