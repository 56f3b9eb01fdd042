import { casesOfBoth } from './cases-both.ts';
import { casesOfV20 } from './cases-v20.ts';
import { casesOfV21 } from './cases-v21.ts';

/** Every reading operation of the legacy document, with a response as the document describes it. */
export const cases = {
  '2.1': [...casesOfBoth, ...casesOfV21],
  '2.0': [...casesOfBoth, ...casesOfV20],
} as const;
