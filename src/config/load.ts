import { ServedFamilies } from '../exposition/catalogue/served-families.ts';
import { LabelPolicy } from '../exposition/labels/label-policy.ts';
import { present } from '../lib/present.ts';
import { redactValue } from '../lib/redact-value.ts';
import { schemaProblems } from '../lib/schema-problems.ts';
import { type Problem, YamlSource } from '../lib/yaml-source.ts';
import { compatOptionsOf } from './compat.ts';
import { type Configuration, configurationSchema, defaultTimeZone } from './configuration.ts';
import { redactSecrets } from './display.ts';
import { isText } from './fields.ts';
import { flappingLimitsOf } from './flapping.ts';
import { labelProblems } from './labels.ts';
import { defaultLinks } from './links.ts';
import { metricsProblems, withMetricsMapping } from './metrics.ts';
import { sloPolicyOf } from './objectives-schema.ts';
import { pageProblems } from './pages.ts';
import { ConfigurationError } from './problems.ts';
import { mapping } from './raw.ts';
import { type AccountContext, accountSettingsOf, resolveAccounts } from './resolve-account.ts';
import { type Serving, servingKeys, storageProblem } from './serving.ts';

interface ConfigurationContext extends AccountContext {
  /** Returns the reason for which the exporter cannot listen on an address; undefined if it can. */
  readonly listenAddressProblem: (address: string) => string | undefined;
}

/** Reads a configuration. Throws a `ConfigurationError` that lists every problem. */
export function readConfiguration(
  fileName: string,
  text: string,
  context: ConfigurationContext,
): Configuration {
  const source = new YamlSource(fileName, text, { merge: true });
  const read = source.read();
  if ('report' in read) throw new ConfigurationError(read.report);
  const value = withMetricsMapping(read.value);
  const { data, error } = configurationSchema.safeParse(value);
  const problems = error === undefined ? [] : schemaProblems(configurationSchema, value, error);
  // Not in the schema: it does not look at a section as a whole when one value of it is wrong, and
  // all problems are reported at once.
  const resolved = resolveAccounts(value, context, problems);
  problems.push(
    ...labelProblems(value),
    ...metricsProblems(value),
    ...listenAddressProblems(value, context),
    ...pageProblems(value),
    ...storageProblems(value),
  );
  if (data === undefined || problems.length > 0) {
    throw new ConfigurationError(source.report(problems));
  }
  const { web, storage, log, labels, metrics, objectives, groups, flapping, links } = data;
  const { report, pages, compat } = data;
  return {
    serving: servingIn({ web, storage, log }, context),
    labels: new LabelPolicy(present({ promote: labels?.promote?.map((label) => present(label)) })),
    served: new ServedFamilies({ mode: metrics?.mode ?? 'lean', ...(metrics && present(metrics)) }),
    slo: sloPolicyOf(objectives, groups),
    flapping: flappingLimitsOf(flapping),
    links: { ...defaultLinks, ...(links && present(links)) },
    ...(pages !== undefined && { pages: pages.map((page) => present(page)) }),
    timeZone: report?.time_zone ?? defaultTimeZone,
    compat: compatOptionsOf(compat),
    accounts: data.accounts.flatMap((account, index) => {
      const rest = resolved[index];
      return rest === undefined ? [] : [accountSettingsOf(account, rest)];
    }),
    shown: redactSecrets(read.value),
  };
}

const servingPaths: readonly string[] = [
  'storagePath',
  'storagePasswordFile',
  'storageCaFile',
] satisfies readonly (keyof Serving)[];

/** The settings of these sections, under their names in the program. */
function servingIn(
  sections: Readonly<Record<string, object | undefined>>,
  { resolvePath }: ConfigurationContext,
): Partial<Serving> {
  const settings = Object.entries(servingKeys).map(([name, path]) => {
    const [section = '', key = ''] = path.split('.');
    const value = mapping(sections[section])[key];
    return [name, isText(value) && servingPaths.includes(name) ? resolvePath(value) : value];
  });
  return present(Object.fromEntries(settings)) as Partial<Serving>;
}

function storageProblems(configuration: unknown): Problem[] {
  const { path: storagePath, url: storageUrl } = mapping(mapping(configuration).storage);
  const message = storageProblem({ storagePath, storageUrl });
  return message === undefined ? [] : [{ path: ['storage', 'path'], at: 'key', message }];
}

function listenAddressProblems(
  configuration: unknown,
  { listenAddressProblem }: ConfigurationContext,
): Problem[] {
  const written = mapping(mapping(configuration).web).listen_address;
  const path = ['web', 'listen_address'];
  const places = Array.isArray(written)
    ? written.map((address: unknown, index) => ({ address, path: [...path, index] }))
    : [{ address: written, path }];
  return places.flatMap(({ address, path }): Problem[] => {
    const problem = isText(address) ? listenAddressProblem(address) : undefined;
    if (problem === undefined) return [];
    return [
      {
        path,
        at: 'value',
        message: `${path.join('.')}: found ${redactValue(address)}; ${problem}`,
      },
    ];
  });
}
