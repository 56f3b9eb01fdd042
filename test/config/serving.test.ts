import { expect, test } from 'vitest';
import { configurationSchema } from '../../src/config/configuration.ts';
import { servingKeys } from '../../src/config/serving.ts';
import { settingsOf } from '../../src/lib/schema-walk.ts';

test('each key of the sections web, storage and log is a setting of the process', () => {
  const keys = [...settingsOf(configurationSchema)].map(({ name }) => name);
  const inFile = Object.values(servingKeys).filter((key) => !key.startsWith('--'));

  expect(inFile.sort()).toEqual(keys.filter((key) => /^(?:web|storage|log)\./.test(key)).sort());
});
