import { testOpenOutages } from './support/open-outages.ts';

testOpenOutages(['2.1', '2.0']);
