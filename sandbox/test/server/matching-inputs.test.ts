import { expect, test } from 'vitest';
import { z } from 'zod';
import { HttpError } from '../../src/server/http-error.ts';
import { matchingInputs } from '../../src/server/parameters.ts';

const schema = z.object({
  name: z.string().default('none'),
  parts: z.array(z.object({ size: z.number().min(1, 'must be 1 or more') })),
});

test('gives what the schema makes of the parameters, without those it does not know', () => {
  expect(matchingInputs(schema, { parts: [{ size: 2 }], id: '7' })).toEqual({
    name: 'none',
    parts: [{ size: 2 }],
  });
});

test.each([
  [
    { parts: [{ size: 1 }, { size: 0 }] },
    'Parameter parts[1].size is not valid: must be 1 or more',
  ],
  [
    { parts: [], name: 5 },
    'Parameter name is not valid: Invalid input: expected string, received number',
  ],
])('refuses %j with a 400 that names what is wrong', (inputs, message) => {
  expect(() => matchingInputs(schema, inputs)).toThrow(new HttpError(400, message));
});
