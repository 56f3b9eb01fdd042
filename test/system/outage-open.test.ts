import { testOpenOutages } from './support/open-outages.ts';

// The older versions are in the long tests.
testOpenOutages(['3.1']);
