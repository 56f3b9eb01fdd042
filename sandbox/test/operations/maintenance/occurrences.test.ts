import { describe, expect, test } from 'vitest';
import { refused } from '../../start-test-sandbox.ts';
import { maintainedSandbox, occurrencesPath } from './maintaining.ts';

const hour = 3600;
const day = 24 * hour;

async function dailySandbox() {
  const started = await maintainedSandbox();
  const { create, occurrences, now } = started;
  const id = await create({ recurrencetype: 'day', repeatevery: 1, effectiveto: now + 3 * day });
  const planned = (query = '') => occurrences(`?maintenanceid=${id}${query}`);
  const [first, second, third] = await planned();
  if (first === undefined || second === undefined || third === undefined) {
    throw new Error('too few occurrences');
  }
  return { ...started, id, planned, first, second, third };
}

describe('the list of occurrences', () => {
  test('holds by default what is not over now, in order of time', async () => {
    const { occurrences, now, clock, planned, second } = await dailySandbox();
    await clock.advance(day * 1000);

    const all = await occurrences();

    expect(all.every(({ to }) => to > now + day)).toBe(true);
    expect(all.map(({ from }) => from)).toEqual(
      all.map(({ from }) => from).toSorted((a, b) => a - b),
    );
    expect((await planned())[0]).toEqual(second);
  });

  test('holds those of which a part lies in the asked time', async () => {
    const { planned, now, first, second } = await dailySandbox();

    expect(await planned(`&from=0&to=${now + hour}`)).toEqual([]);
    expect(await planned(`&from=0&to=${now + hour + 1}`)).toEqual([first]);
    expect(await planned(`&from=${now + 2 * hour - 1}&to=${now + day + 90 * 60}`)).toEqual([
      first,
      second,
    ]);
    expect((await planned(`&from=${now + 2 * hour}`))[0]).toEqual(second);
  });

  test('may hold only those that begin in the asked time, or that also end in it', async () => {
    const listed = async (occurrences: 'beginning' | 'within', from: number, to: number) => {
      const { create, occurrences: list, now } = await maintainedSandbox({ occurrences });
      const id = await create({});
      const query = `?maintenanceid=${id}&from=${now + from}&to=${now + to}`;
      return (await list(query)).length;
    };
    expect(await listed('beginning', hour, hour + 1)).toBe(1);
    expect(await listed('beginning', hour + 1, day)).toBe(0);
    expect(await listed('within', hour, 2 * hour)).toBe(1);
    expect(await listed('within', hour, 2 * hour - 1)).toBe(0);
    expect(await listed('within', hour + 1, day)).toBe(0);
  });

  test('shows one by its identifier', async () => {
    const { send, first, id, now } = await dailySandbox();

    expect((await send('GET', `${occurrencesPath}/${first.id}`)).body).toEqual({
      occurrence: { id: first.id, maintenanceid: id, from: now + hour, to: now + 2 * hour },
    });
  });
});

describe('modifying an occurrence', () => {
  test('moves it alone', async () => {
    const { send, planned, first, second, third, now } = await dailySandbox();

    const json = { from: now + 5 * hour, to: now + 6 * hour };
    const { status, body } = await send('PUT', `${occurrencesPath}/${first.id}`, { json });

    expect([status, body]).toEqual([200, { message: 'Occurrence successfully modified!' }]);
    expect(await planned()).toEqual([{ ...first, ...json }, second, third]);
  });

  test('ends with 1 what is going on', async () => {
    const { send, planned, first, now, clock } = await dailySandbox();
    await clock.advance(1.5 * hour * 1000);

    const { status } = await send('PUT', `${occurrencesPath}/${first.id}`, { form: { to: '1' } });

    expect(status).toBe(200);
    expect(await planned(`&from=${now}`)).toContainEqual({ ...first, to: now + 1.5 * hour });
  });

  test.each<[(now: number) => object, string]>([
    [
      (now) => ({ from: now - 5 }),
      'Parameter from must be a time in the future, or 1 for now, not 1767614395',
    ],
    [
      (now) => ({ to: now + 60 }),
      'Parameter to must be after parameter from, 1767618000, not 1767614460',
    ],
    [() => ({ from: 'soon' }), 'Parameter from must be a whole number of 1 or more, not "soon"'],
  ])('is refused with times that make no sense (%#)', async (times, errormessage) => {
    const { send, first, now, planned } = await dailySandbox();

    expect(await send('PUT', `${occurrencesPath}/${first.id}`, { json: times(now) })).toMatchObject(
      refused(400, errormessage),
    );
    expect((await planned())[0]).toEqual(first);
  });

  test('that is over is refused', async () => {
    const { send, first, now, clock } = await dailySandbox();
    await clock.advance(2 * hour * 1000);

    const json = { from: now + 9 * hour, to: now + 10 * hour };
    expect(await send('PUT', `${occurrencesPath}/${first.id}`, { json })).toMatchObject(
      refused(400, `Occurrence ${first.id} cannot be modified: it is over`),
    );
  });
});

describe('deleting occurrences', () => {
  test('takes one that lies in the future', async () => {
    const { send, planned, first, second, third } = await dailySandbox();

    const { status, body } = await send('DELETE', `${occurrencesPath}/${second.id}`);

    expect([status, body]).toEqual([200, { message: 'Occurrence successfully deleted!' }]);
    expect(await planned()).toEqual([first, third]);
  });

  test('spares one that has begun', async () => {
    const { send, planned, first, clock } = await dailySandbox();
    await clock.advance(hour * 1000);

    const { status } = await send('DELETE', `${occurrencesPath}/${first.id}`);

    expect(status).toBe(400);
    expect((await planned())[0]).toEqual(first);
  });

  test.each<[string, (a: number, b: number) => readonly [string, object]]>([
    ['as documented', (a, b) => [`${occurrencesPath}?occurenceids=${a}&occurenceids=${b}`, {}]],
    ['spelt with two r', (a, b) => [`${occurrencesPath}?occurrenceids=${a},${b}`, {}]],
    ['in JSON', (a, b) => [occurrencesPath, { json: { occurenceids: [a, b, 7] } }]],
    [
      'in both spellings',
      (a, b) => [`${occurrencesPath}?occurenceids=${a}&occurrenceids=${b}`, {}],
    ],
  ])('takes many %s', async (_how, requestOf) => {
    const { send, planned, first, second, third } = await dailySandbox();

    const { status, body } = await send('DELETE', ...requestOf(first.id, third.id));

    expect([status, body]).toEqual([200, { message: 'Occurrences successfully deleted!' }]);
    expect(await planned()).toEqual([second]);
  });

  test('takes none of many if one has begun', async () => {
    const { send, planned, first, second, third, clock } = await dailySandbox();
    await clock.advance(hour * 1000);

    const json = { occurenceids: [first.id, second.id] };
    const { status } = await send('DELETE', occurrencesPath, { json });

    expect(status).toBe(400);
    expect(await planned()).toEqual([first, second, third]);
  });

  test('many needs to know which', async () => {
    const { send } = await maintainedSandbox();

    expect(await send('DELETE', occurrencesPath)).toMatchObject(
      refused(400, 'Parameter occurenceids is required'),
    );
  });
});

test.each(['GET', 'PUT', 'DELETE'] as const)('%s of an occurrence there is not', async (method) => {
  const { send } = await maintainedSandbox();

  expect(await send(method, `${occurrencesPath}/7`)).toMatchObject(
    refused(404, 'There is no maintenance occurrence 7'),
  );
});
