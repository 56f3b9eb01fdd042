import { describe, expect, test } from 'vitest';
import { databaseAddress, databaseUrlProblem } from '../../src/lib/database-address.ts';

describe('the URL of a database', () => {
  test.each([
    ['mysql://u@db/uptime', 'must be a URL such as'],
    ['uptime', 'must be a URL such as'],
    ['postgres://u:secret@db/uptime', 'must have no password'],
    ['postgres://db/uptime', 'must name the user'],
    ['postgres://u%zz@db/uptime', 'must have each %'],
    ['postgres://u@db', 'must name the database'],
    ['postgres://u@db/uptime?sslmode=require', 'must have sslmode=disable or sslmode=verify-full'],
    ['postgres://u@db/uptime?options=-c', 'must have no parameter "options"'],
    ['postgres://u@db/uptime?host=other', 'must have the folder of a UNIX socket'],
  ])('is refused as %s: it %s', (url, problem) => {
    expect(databaseUrlProblem(url)).toContain(problem);
    expect(databaseUrlProblem(url)).not.toContain('secret');
  });

  test.each([
    ['postgres://u@db/uptime', { host: 'db', port: 5432, isTls: true }],
    ['postgresql://u@db:6432/uptime?sslmode=disable', { host: 'db', port: 6432, isTls: false }],
    ['postgres://u@127.0.0.1/uptime', { host: '127.0.0.1', port: 5432, isTls: false }],
    ['postgres://u@[::1]/uptime', { host: '::1', port: 5432, isTls: false }],
    ['postgres://u@localhost/uptime?sslmode=verify-full', { host: 'localhost', isTls: true }],
    ['postgres://u@localhost/uptime?host=/run/db', { host: '/run/db', isTls: false }],
  ])('%s is an address', (url, address) => {
    expect(databaseUrlProblem(url)).toBeUndefined();
    expect(databaseAddress(url)).toMatchObject({ user: 'u', database: 'uptime', ...address });
  });
});
