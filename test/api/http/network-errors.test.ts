import { errors } from 'undici';
import { describe, expect, test } from 'vitest';
import { classifyNetworkError } from '../../../src/api/http/network-errors.ts';

const withCode = (code: string) => Object.assign(new Error('it says'), { code });

describe('networkFailure', () => {
  test.each([
    ['timeout', new errors.ConnectTimeoutError('slow')],
    ['timeout', new errors.HeadersTimeoutError()],
    ['timeout', new errors.BodyTimeoutError()],
    ['timeout', withCode('ETIMEDOUT')],
    ['dns', withCode('ENOTFOUND')],
    ['dns', withCode('EAI_AGAIN')],
    ['connection', withCode('ECONNREFUSED')],
    ['connection', withCode('ECONNRESET')],
    ['connection', withCode('EHOSTUNREACH')],
    ['connection', new errors.SocketError('other side closed')],
    ['tls', withCode('DEPTH_ZERO_SELF_SIGNED_CERT')],
    ['tls', withCode('SELF_SIGNED_CERT_IN_CHAIN')],
    ['tls', withCode('UNABLE_TO_VERIFY_LEAF_SIGNATURE')],
    ['tls', withCode('UNABLE_TO_GET_ISSUER_CERT_LOCALLY')],
    ['tls', withCode('CERT_HAS_EXPIRED')],
    ['tls', withCode('ERR_TLS_CERT_ALTNAME_INVALID')],
    ['not_tls', withCode('ERR_SSL_WRONG_VERSION_NUMBER')],
    ['not_tls', withCode('ERR_SSL_PACKET_LENGTH_TOO_LONG')],
    ['tls', withCode('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION')],
    ['tls', withCode('EPROTO')],
    ['encoding', withCode('Z_DATA_ERROR')],
    ['truncated', withCode('Z_BUF_ERROR')],
    ['internal', new errors.InvalidArgumentError('invalid header')],
  ])('calls it %s before the headers: %s', (reason, error) => {
    expect(classifyNetworkError(error, 'headers').reason).toBe(reason);
  });

  test.each([
    withCode('ECONNRESET'),
    new errors.SocketError('other side closed'),
    new errors.ResponseContentLengthMismatchError(),
    withCode('ERR_STREAM_PREMATURE_CLOSE'),
  ])('calls a break within the body truncated: %s', (error) => {
    expect(classifyNetworkError(error, 'body').reason).toBe('truncated');
  });

  test('looks into causes and into the attempts on several addresses', () => {
    const attempts = new AggregateError([withCode('EHOSTUNREACH'), withCode('ETIMEDOUT')], '');
    expect(classifyNetworkError(new Error('', { cause: attempts }), 'headers')).toEqual({
      reason: 'timeout',
      text: 'it says',
    });
  });

  test('comes to an end with causes that go in circles', () => {
    const error = new Error('round');
    error.cause = error;
    expect(classifyNetworkError(error, 'headers')).toEqual({ reason: 'connection', text: 'round' });
  });

  test('takes a thrown thing that is no error', () => {
    expect(classifyNetworkError('oops', 'headers').reason).toBe('connection');
  });
});
