import { casesOf } from '../support/extent.ts';
import { describeWith, promtools, shareOf } from '../support/promtools.ts';
import { lifeCases, resolutions } from './life-cases.ts';
import { testCases } from './promtool-rules.ts';

const tools = promtools();

describeWith(tools)('outages as promtool $version sees them', ({ path }) => {
  const cases = lifeCases(shareOf(casesOf(resolutions, 0, 2), path, tools));
  testCases(path, cases);
});
