import type { Reader, ReadRequest } from '../../src/api/reader.ts';
import { createServiceV31 } from '../../src/api/versions.ts';

/** Sends one response per request, or throws it if it is an error. A surplus request fails the test. */
export function scriptedReader(...replies: readonly unknown[]) {
  const requests: ReadRequest[] = [];
  const reader: Reader = {
    baseUrl: 'https://api.example.com',
    get: async (request) => {
      if (requests.push(request) > replies.length) throw new Error('a request too many');
      const reply = replies[requests.length - 1];
      if (reply instanceof Error) throw reply;
      return reply;
    },
  };
  return { reader, requests };
}

/** Responds with the pages of a list, according to offset and limit. */
export function pagingReader(
  entries: () => readonly unknown[],
  wrap: (page: readonly unknown[]) => unknown,
  largestPage = Number.POSITIVE_INFINITY,
) {
  const requests: ReadRequest[] = [];
  const reader: Reader = {
    baseUrl: 'https://api.example.com',
    get: async (request) => {
      requests.push(request);
      const offset = Number(request.query?.offset);
      const limit = Math.min(Number(request.query?.limit), largestPage);
      return wrap(entries().slice(offset, offset + limit));
    },
  };
  return { reader, requests };
}

/** The service of version 3.1 with these responses. */
export function scriptedService(replies: readonly unknown[]) {
  const { reader, requests } = scriptedReader(...replies);
  return { service: createServiceV31(reader), requests };
}
