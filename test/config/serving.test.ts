import { expect, test } from 'vitest';
import { configurationSchema } from '../../src/config/configuration.ts';
import { servingKeys, telemetryPathProblem } from '../../src/config/serving.ts';
import { settingsOf } from '../../src/lib/schema-walk.ts';

test('each key of the sections web, storage and log is a setting of the process', () => {
  const keys = [...settingsOf(configurationSchema)].map(({ name }) => name);
  const inFile = Object.values(servingKeys).filter((key) => !key.startsWith('--'));

  expect(inFile.sort()).toEqual(keys.filter((key) => /^(?:web|storage|log)\./.test(key)).sort());
});

test.each(['/métriques', '/<metrics>', '/a/../metrics', '/\\metrics'])(
  'the path of the metrics is one that clients send unchanged: %s',
  (path) => {
    expect(telemetryPathProblem(path)).toBe('must be written as clients send it, such as /metrics');
  },
);

test.each(['/', '/metrics', '/m%C3%A9triques', '/team:a/@metrics;v=1'])(
  'the metrics may be at %s',
  (path) => expect(telemetryPathProblem(path)).toBeUndefined(),
);
