import { catalogue } from '../catalogue/catalogue.ts';
import { allLabels } from '../catalogue/family.ts';

/** Labels that targets commonly bear: Prometheus would rename ours to `exported_…`. */
const targetLabels = ['type', 'region', 'env', 'service', 'team', 'job', 'instance'];
/** Labels with a meaning in the exposition formats. */
const formatLabels = ['le', 'quantile'];

/** A name as the Prometheus data model allows it: what does not fit becomes `_`. */
export function labelNameOf(text: string): string {
  const name = text.replaceAll(/[^a-zA-Z0-9_]/g, '_');
  return /^\d/.test(name) ? `_${name}` : name;
}

/** Why no label may be promoted under this name; undefined when one may. */
export function refusalOf(name: string): string | undefined {
  if (name === '') return 'a label needs a name';
  if (name.startsWith('__')) return 'names that begin with __ are reserved for Prometheus';
  if (targetLabels.includes(name)) return 'it clashes with a label that scrape targets bear';
  if (formatLabels.includes(name)) return 'it has a meaning of its own in the exposition formats';
  const family = catalogue
    .flatMap(({ families }) => families)
    .find((candidate) => allLabels(candidate).includes(name));
  return family && `${family.name} already has a label of that name`;
}
