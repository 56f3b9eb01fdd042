import { expect, test } from 'vitest';
import { features } from '../../src/app/features.ts';
import { telemetryPathProblem } from '../../src/config/serving.ts';
import { testApp } from '../support/http-app.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const clock = new VirtualClock();
const status = { accounts: () => [] };
const app = testApp({
  clock,
  status,
  telemetryPath: '/metrics',
  configuration: {
    shown: () => '',
    last: { succeededAtSeconds: 0 },
    reload: async () => ({ succeededAtSeconds: 0 }),
  },
  storage: { failure: undefined, backup: async () => ({ path: '' }) },
  routes: (site) =>
    features.flatMap((feature) => feature.routes({ status, clock, site, shown: () => [] })),
});
const paths = app.router.stack
  .flatMap(({ route }) => route?.path ?? [])
  .map((path: string) => path.replaceAll(/:\w+/g, '1'));
const own = paths.filter((path) => path !== '/' && path !== '/metrics');

test('the exporter serves its own paths', () => {
  expect(own).toEqual(expect.arrayContaining(['/report', '/checks/1', '/-/backup', '/config']));
});

test.each([...own, '/hooks/secret', '/status/shop'])('the metrics cannot be at %s', (path) => {
  expect(telemetryPathProblem(path)).toContain('reserved for');
});

test.each(['/', '/metrics', '/reports', '/status', '/probe/metrics', '/custom:metrics'])(
  'the metrics can be at %s',
  (path) => {
    expect(telemetryPathProblem(path)).toBeUndefined();
  },
);
