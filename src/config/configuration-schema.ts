import { z } from 'zod';
import { logFormats, logLevels } from '../lib/log.ts';
import { accountSchema } from './account-schema.ts';
import { choiceField, textField, textWith, wholeNumberField } from './fields.ts';
import { labelsSchema } from './labels-schema.ts';
import { defaultServing, telemetryPathProblem } from './serving.ts';

const webSchema = z
  .strictObject({
    listen_address: textField(
      {
        description: 'Where to serve the metrics and pages.',
        preset: defaultServing.listenAddress,
      },
      'an address such as ":9158" or "127.0.0.1:9158"',
    ).optional(),
    telemetry_path: textWith(
      {
        description: 'Where the metrics are.',
        allowed: 'a path that begins with a slash, has no query and is not below /-/',
        preset: defaultServing.telemetryPath,
      },
      (text) => telemetryPathProblem(text) === undefined,
    ).optional(),
    max_requests: wholeNumberField(
      {
        description: 'Scrapes served at the same time, the rest get a 503; 0 for any number.',
        preset: `${defaultServing.maxRequests}`,
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
        preset: `${defaultServing.storagePath} in the folder where the exporter is started`,
      },
      'the path of a folder',
    ).optional(),
  })
  .meta({ description: 'What survives a restart.' });

const logSchema = z
  .strictObject({
    level: choiceField(
      { description: 'Lines of this level and above.', preset: defaultServing.logLevel },
      logLevels,
    ).optional(),
    format: choiceField(
      { description: 'Form of the log.', preset: defaultServing.logFormat },
      logFormats,
    ).optional(),
  })
  .meta({ description: 'What is logged.' });

export const configurationSchema = z.strictObject({
  web: webSchema.optional(),
  storage: storageSchema.optional(),
  log: logSchema.optional(),
  labels: labelsSchema.optional(),
  accounts: z
    .array(accountSchema)
    .min(1)
    .meta({ description: 'The accounts to watch, at least one.' }),
});
