import { expect, test } from 'vitest';
import type { ReadRequest } from '../../../src/api/reader.ts';
import { createServiceV31 } from '../../../src/api/versions.ts';

test('reads the credits with one request', async () => {
  const { signal } = new AbortController();
  const requests: ReadRequest[] = [];
  const service = createServiceV31({
    reader: {
      baseUrl: 'https://api.example.com',
      get: async (request) => {
        requests.push(request);
        return { credits: { checklimit: 50 } };
      },
    },
  });

  expect(await service.credits(signal)).toEqual({ checkLimit: 50 });

  expect(requests).toEqual([{ operation: 'get_credits', path: 'credits', signal }]);
});
