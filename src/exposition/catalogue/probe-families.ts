import { type AccountFamily, lean } from './family.ts';
import { LabelCounts, trueFalseUnknown } from './label-counts.ts';
import { accountFamiliesOf } from './row-families.ts';

const list = accountFamiliesOf('probes');

/** The servers that tests are run from. */
export const probeFamilies: readonly AccountFamily[] = [
  lean(
    'nothing',
    list.values(
      'uptime_probe_info',
      'A probe of the service and its location, the country as an ISO code; always 1.',
      'probes',
      ['probe_id', 'probe', 'country', 'city', 'probe_region'],
      (probes, emit) => {
        for (const { id, name, countryIso = '', city = '', region = '' } of probes) {
          emit(1, String(id), name, countryIso, city, region);
        }
      },
    ),
  ),
  lean(
    'nothing',
    list.values(
      'uptime_probes',
      'Probes of the service by whether they are active.',
      'probes',
      ['active'],
      (probes, emit) => {
        const counts = new LabelCounts([['true'], ['false']]);
        for (const { active } of probes) counts.add(1, trueFalseUnknown(active));
        counts.emit(emit);
      },
    ),
  ),
];
