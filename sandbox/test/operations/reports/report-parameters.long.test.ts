import { describe, expect, test } from 'vitest';
import { refused, startTestSandbox } from '../../start-test-sandbox.ts';

const versions = ['3.1', '2.1', '2.0'] as const;
const now = Date.UTC(2026, 0, 5, 12) / 1000;
const hour = 3600;
const day = 86_400;
const week = 7 * day;

/** A sandbox and its first check, which is tested every minute. */
async function startWithCheck() {
  const started = await startTestSandbox({ shortLimit: 10_000 });
  const check = started.sandbox.world.checks[0];
  if (check === undefined) throw new Error('the sandbox has no check');
  return { ...started, check };
}

describe('a report without a parameter is the one with its default', () => {
  test.each([
    ['results/:id', '', `from=${now - day}&to=${now}&limit=1000&offset=0&includeanalysis=false`],
    ['results/:id', `to=${now - day}`, `from=${now - 2 * day}&to=${now - day}`],
    ['summary.average/:id', '', `from=0&to=${now}&includeuptime=false&bycountry=0&byprobe=0`],
    ['summary.hoursofday/:id', '', `from=${now - week}&to=${now}&uselocaltime=false`],
    ['summary.outage/:id', '', `from=${now - week}&to=${now}&order=asc`],
    ['summary.outage/:id', `to=${now - day}`, `from=${now - day - week}&to=${now - day}`],
    [
      'summary.performance/:id',
      '',
      `from=${now - 10 * hour}&to=${now}&resolution=hour&includeuptime=false&order=asc`,
    ],
    ['summary.performance/:id', 'resolution=day', `resolution=day&from=${now - 10 * day}`],
    ['summary.performance/:id', 'resolution=week', `resolution=week&from=${now - 10 * week}`],
    ['summary.probes/:id', `from=${now - day}`, `from=${now - day}&to=${now}`],
    ['analysis/:id', '', `from=0&to=${now}&limit=100&offset=0`],
    ['actions', '', `from=0&to=${now}&limit=100&offset=0`],
  ])('%s?%s', async (path, query, explicit) => {
    const { send, check } = await startWithCheck();
    for (const version of versions) {
      const url = `/api/${version}/${path.replace(':id', String(check.id))}`;

      const short = await send('GET', `${url}?${query}`);
      const full = await send('GET', `${url}?${explicit}`);

      expect(short.status).toBe(200);
      expect(short.body).toEqual(full.body);
    }
  });
});

test('a period reaches to the present at most', async () => {
  const { send, check } = await startWithCheck();
  for (const report of ['summary.average', 'summary.performance', 'results']) {
    const url = `/api/3.1/${report}/${check.id}?from=${now - hour}`;

    const { body } = await send('GET', `${url}&to=${now + day}`);

    expect(body).toEqual((await send('GET', `${url}&to=${now}`)).body);
  }
});

describe('a report with a filter that names everything is the one without', () => {
  test.each([
    ['results/:id', 'status=down,up,unconfirmed,unknown'],
    ['results/:id', 'status='],
    ['actions', 'via=email,sms,social,pusha,pushb'],
    ['actions', 'status=sent,delivered,error,not_delivered,no_credits'],
  ])('%s?%s', async (path, query) => {
    const { send, check } = await startWithCheck();
    const url = `/api/3.1/${path.replace(':id', String(check.id))}`;

    const filtered = await send('GET', `${url}?${query}`);

    expect(filtered.body).toEqual((await send('GET', url)).body);
  });
});

describe('refuses', () => {
  test.each([
    ['results/:id', 'offset=43201', 'Parameter offset must be a whole number from 0 to 43200'],
    ['results/:id', 'limit=0', 'Parameter limit must be a whole number of 1 or more'],
    ['results/:id', 'status=unconfirmed_down', 'Parameter status must be one of down, up'],
    ['results/:id', 'probes=Stockholm', 'Parameter probes must be a whole number'],
    [
      'results/:id',
      `minresponse=5&from=${now - 31 * day - 1}`,
      'The period must not exceed 31 days with minresponse or maxresponse',
    ],
    [
      'results/:id',
      `maxresponse=5&from=0&to=${31 * day + 1}`,
      'The period must not exceed 31 days with minresponse or maxresponse',
    ],
    ['results/:id', 'from=5&to=4', 'Parameter from must not be later than parameter to: 5, 4'],
    ['results/:id', 'resolution=hour', 'Unknown parameter resolution'],
    [
      'summary.average/:id',
      'bycountry=true&byprobe=true',
      'Parameters bycountry and byprobe cannot be used together',
    ],
    ['summary.outage/:id', 'order=newest', 'Parameter order must be one of asc, desc'],
    ['summary.outage/:id', 'limit=5', 'Unknown parameter limit'],
    [
      'summary.performance/:id',
      'includeuptime=true&probes=53',
      'Parameter probes cannot be used together with includeuptime',
    ],
    ['summary.performance/:id', 'resolution=minute', 'Parameter resolution must be one of hour'],
    [
      'summary.performance/:id',
      `from=${now - 60 * day - 1}`,
      'Interval is too big for this resolution',
    ],
    [
      'summary.performance/:id',
      `resolution=day&from=${now - 185 * day - 1}`,
      'Interval is too big for this resolution',
    ],
    ['summary.probes/:id', '', 'Parameter from is required'],
    ['analysis/:id', 'offset=5', 'Parameter offset requires parameter limit'],
    ['actions', 'via=telegram', 'Parameter via must be one of email, sms, social, pusha, pushb'],
    ['actions', 'status=notdelivered', 'Parameter status must be one of sent, delivered, error'],
    ['actions', 'checkids=all', 'Parameter checkids must be a whole number'],
    ['single', 'type=http', 'Parameter host is required'],
    ['single', 'host=example.com', 'Parameter type is required'],
    ['single', 'host=example.com&type=ftp', 'Parameter type must be one of http, httpcustom'],
    ['single', 'host=example.com&type=httpcustom', 'Parameter url is required'],
    ['single', 'host=example.com&type=tcp', 'Parameter port is required'],
    ['single', 'host=example.com&type=dns&nameserver=ns1', 'Parameter expectedip is required'],
    ['single', 'host=example.com&type=dns&expectedip=1.2.3.4', 'Parameter nameserver is required'],
    ['single', 'host=x&type=udp&stringtosend=a&stringtoexpect=b', 'Parameter port is required'],
    ['single', 'host=x&type=udp&port=5&stringtoexpect=b', 'Parameter stringtosend is required'],
    ['single', 'host=x&type=udp&port=5&stringtosend=a', 'Parameter stringtoexpect is required'],
    ['single', 'host=x&type=ping&port=5', 'Parameter port does not apply to checks of type ping'],
    ['single', 'host=example.com&type=ping&probeid=28', 'Invalid probe identifier'],
    ['traceroute', '', 'Parameter host is required'],
    ['traceroute', 'host=example.com&probeid=1', 'Invalid probe identifier'],
    ['probes', 'offset=5', 'Parameter offset requires parameter limit'],
    ['probes', 'onlyactive=perhaps', 'Parameter onlyactive must be true or false'],
    ['reference', 'limit=5', 'Unknown parameter limit; allowed are: none'],
  ])('%s?%s in every version', async (path, query, message) => {
    const { send, check } = await startWithCheck();
    for (const version of versions) {
      const url = `/api/${version}/${path.replace(':id', String(check.id))}?${query}`;

      expect(await send('GET', url)).toMatchObject(refused(400, new RegExp(`^${message}`)));
    }
  });

  test.each([
    ['results/:id', ''],
    ['summary.average/:id', ''],
    ['summary.hoursofday/:id', ''],
    ['summary.outage/:id', ''],
    ['summary.performance/:id', ''],
    ['summary.probes/:id', 'from=0'],
    ['analysis/:id', ''],
    ['analysis/:id/5', ''],
  ])('%s of a check there is not, with status 403', async (path, query) => {
    const { send } = await startTestSandbox();
    for (const version of versions) {
      const url = `/api/${version}/${path.replace(':id', '4711')}?${query}`;

      expect(await send('GET', url)).toMatchObject(refused(403, 'Invalid check identifier'));
    }
  });

  test.each([
    ['2.0', 'actions', 'status=pending', 'Parameter status must be one of'],
    ['2.0', 'actions', 'limit=301', 'Parameter limit must be a whole number from 1 to 300'],
    ['2.1', 'actions', 'limit=301', 'Parameter limit must be a whole number from 1 to 300'],
    [
      '3.1',
      'single',
      'host=x&type=http&shouldcontain=a&shouldnotcontain=b',
      'Parameters shouldcontain and shouldnotcontain exclude each other',
    ],
  ])('in version %s %s?%s', async (version, path, query, message) => {
    const { send } = await startTestSandbox();

    expect(await send('GET', `/api/${version}/${path}?${query}`)).toMatchObject(
      refused(400, new RegExp(`^${message}`)),
    );
  });
});

describe('accepts', () => {
  test.each([
    ['2.1', 'actions?limit=300&status=pending&userids=1'],
    ['2.0', 'actions?limit=300&contactids=1'],
    ['3.1', 'actions?limit=301&status=pending'],
    ['2.0', 'single?host=x&type=http&shouldcontain=a&shouldnotcontain=b'],
    ['2.1', 'single?host=x&type=http&requestheader1=A:b&requestheader2=C:d&ipv6=false'],
    ['2.1', 'single?host=x&type=ping&probe_filters=region:EU&responsetime_threshold=30000'],
    ['3.1', 'single?host=x&type=http&verify_certificate=1&ssl_down_days_before=7'],
    ['2.0', 'single?host=x&type=udp&port=5&stringtosend=a&stringtoexpect=b'],
    ['2.1', 'probes?onlytms=true&onlyactive=true&includedeleted=true&limit=2&offset=1'],
  ])('in version %s %s', async (version, path) => {
    const { send } = await startTestSandbox();

    expect((await send('GET', `/api/${version}/${path}`)).status).toBe(200);
  });

  test.each([
    `from=${now - 8 * day}`,
    `resolution=day&from=${now - 185 * day}`,
    'resolution=week&from=0',
  ])('a performance report with %s', async (query) => {
    const { send, check } = await startWithCheck();

    expect((await send('GET', `/api/3.1/summary.performance/${check.id}?${query}`)).status).toBe(
      200,
    );
  });
});

test('each call costs one request of the budget, whatever its size', async () => {
  const { send, check, sandbox } = await startWithCheck();

  await send('GET', `/api/3.1/results/${check.id}`);
  await send('GET', '/api/3.1/single?host=example.com&type=ping');
  const { headers } = await send('GET', '/api/3.1/traceroute?host=example.com');

  expect(headers['req-limit-short']).toBe('Remaining: 9997 Time until reset: 3600');
  expect(sandbox.limits.reading('short').remaining).toBe(9997);
});
