import express, { type ErrorRequestHandler } from 'express';
import { h } from 'preact';
import request from 'supertest';
import { expect, test } from 'vitest';
import { within } from '../../../src/http/common/layout.tsx';
import { joinedInTurns, sendPieces } from '../../../src/http/common/send-pieces.ts';

test('pieces stand in the place that elements leave for them, whatever texts say', async () => {
  const text = '<template></template>';
  const pieces = within((inner) => h('p', null, text, inner), ['<b>a', '</b>']);
  expect(await joinedInTurns(pieces)).toBe('<p>&lt;template>&lt;/template><b>a</b></p>');
});

test('other work is done between pieces', async () => {
  const order: string[] = [];
  function* pieces() {
    order.push('first');
    setImmediate(() => order.push('other'));
    yield '';
    order.push('second');
    yield '';
  }
  await joinedInTurns(pieces());
  expect(order).toEqual(['first', 'other', 'second']);
});

test.each([
  ['the first piece', [], { status: 500, text: 'failed' }],
  ['a later piece', ['a', 'b'], 'aborted'],
])('an error in %s fails its response alone', async (_, first, outcome) => {
  function* pieces() {
    yield* first;
    throw new Error('a bug');
  }
  const errors: string[] = [];
  const handler: ErrorRequestHandler = (error: Error, _request, response, _next) => {
    errors.push(error.message);
    if (response.headersSent) response.destroy();
    else response.status(500).end('failed');
  };
  const app = express()
    .get('/', (asked, response) =>
      sendPieces(asked, response, { type: 'text/plain', pieces: pieces() }),
    )
    .use(handler);

  const { status, text } = await request(app)
    .get('/')
    .catch(({ message }: Error) => ({ status: 0, text: message }));

  expect(status === 0 ? text : { status, text }).toEqual(outcome);
  expect(errors).toEqual(['a bug']);
});
