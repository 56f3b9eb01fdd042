import { extent } from '../support/extent.ts';
import { describeWith, promtools, shareOf } from '../support/promtools.ts';
import { edgeCases, paces } from './edge-cases.ts';
import { testCases } from './promtool-rules.ts';

const tools = extent(promtools().slice(-1), promtools());

describeWith(tools)('by promtool $version', ({ path }) => {
  const cases = shareOf(paces.slice(0, extent(1, paces.length)), path, tools).flatMap(edgeCases);
  testCases(path, cases);
});
