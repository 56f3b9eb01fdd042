import { expect, test } from 'vitest';
import { refused } from '../../start-test-sandbox.ts';
import { checksPath, writingSandbox } from './check-writing.ts';

test('a deleted check is gone from the list, the counts, the tags and the credits', async () => {
  const { create, list, send } = await writingSandbox();
  const kept = await create({ tags: ['doomed'] });
  const id = await create({ tags: ['doomed'] });

  const { status, body } = await send('DELETE', `${checksPath}/${id}`);
  const left = await list('?tags=doomed&include_tags=true');

  expect([status, body]).toEqual([200, { message: 'Deletion of check was successful!' }]);
  expect(left).toMatchObject({
    checks: [{ id: kept, tags: expect.arrayContaining([{ name: 'doomed', type: 'u', count: 1 }]) }],
    counts: { total: 25, limited: 1, filtered: 1 },
  });
  expect((await send('GET', '/api/3.1/credits')).body).toMatchObject({
    credits: { useddefault: 25, availablechecks: 25 },
  });
});

test.each([
  '/checks/{id}',
  '/results/{id}',
  '/summary.average/{id}',
  '/summary.outage/{id}',
  '/summary.performance/{id}',
  '/analysis/{id}',
])('with a deleted check go its data at %s', async (path) => {
  const { create, send } = await writingSandbox();
  const id = await create({});
  const url = `/api/3.1${path.replace('{id}', String(id))}`;
  expect((await send('GET', url)).status).toBe(200);

  await send('DELETE', `${checksPath}/${id}`);

  expect(await send('GET', url)).toMatchObject(refused(403, 'Invalid check identifier'));
});

test('an identifier is not used again', async () => {
  const { create, send } = await writingSandbox();
  const gone = await create({});
  await send('DELETE', `${checksPath}/${gone}`);

  expect(await create({})).toBeGreaterThan(gone);
});

test.each<[string, (ids: readonly number[]) => readonly [string, object]]>([
  ['as an array', (ids) => [checksPath, { json: { delcheckids: ids } }]],
  ['as a list with commas', (ids) => [checksPath, { json: { delcheckids: ids.join(',') } }]],
  ['in the query', (ids) => [`${checksPath}?delcheckids=${ids.join(',')},999`, {}]],
  ['in a form of 2.1', (ids) => ['/api/2.1/checks', { form: { delcheckids: ids.join(',') } }]],
  ['in the URL of 2.0', (ids) => [`/api/2.0/checks?delcheckids=${ids.join(',')}`, {}]],
])('many checks are deleted by identifiers %s', async (_how, requestOf) => {
  const { send, list } = await writingSandbox();
  const all = (await list()).checks.map(({ id }) => id);
  const doomed = all.slice(3, 6);

  const { status, body } = await send('DELETE', ...requestOf(doomed));

  expect([status, body]).toEqual([200, { message: 'Deletion of checks was successful!' }]);
  const left = (await list()).checks.map(({ id }) => id);
  expect(left).toEqual(all.filter((id) => !doomed.includes(id)));
});

test('many checks are not deleted without saying which', async () => {
  const { send, sandbox } = await writingSandbox();

  for (const json of [{}, { delcheckids: '' }, { delcheckids: [] }]) {
    expect(await send('DELETE', checksPath, { json })).toMatchObject(
      refused(400, 'Parameter delcheckids is required'),
    );
  }
  expect(sandbox.world.checks).toHaveLength(24);
});
