import { testOpenOutages } from './support/open-outages.ts';

// The long tests cover the older versions.
testOpenOutages(['3.1']);
