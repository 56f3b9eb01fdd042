import { parse } from 'node:querystring';
import express, { type Request, type Response } from 'express';
import type { ApiVersion } from '../../domain/version.ts';
import type { BodyKind } from '../operations/operation.ts';
import { HttpError } from './http-error.ts';
import type { Inputs } from './parameters.ts';

const readBytes = express.raw({ type: () => true, limit: '1mb' });

/**
 * The parameters in the body of a request: JSON or a form, as the operation takes it (API 3.1, section 4;
 * legacy versions, section 4). Rejects with an `HttpError` for a body that cannot be used.
 */
export async function bodyInputs(
  request: Request,
  response: Response,
  kind: BodyKind,
  version: ApiVersion,
): Promise<Inputs> {
  if (kind === 'none') return {};
  await received(request, response);
  const bytes: unknown = request.body;
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return {};
  const text = bytes.toString('utf8');

  const takesForm = version !== '3.1' || kind !== 'json';
  const takesJson = version === '3.1' && kind !== 'form';
  if (takesJson && request.is('application/json')) return jsonObject(text);
  const unnamed = request.get('content-type') === undefined;
  if (takesForm && (unnamed || request.is('application/x-www-form-urlencoded'))) {
    return { ...parse(text) };
  }
  const allowed = [takesJson && 'application/json', takesForm && formType].filter(Boolean);
  throw new HttpError(415, `The Content-Type of the body must be ${allowed.join(' or ')}`);
}

const formType = 'application/x-www-form-urlencoded';

function jsonObject(text: string): Inputs {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new HttpError(400, 'The body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new HttpError(400, 'The body must be a JSON object');
  }
  return value as Inputs;
}

function received(request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    readBytes(request, response, (error?: Error & { readonly status?: number }) => {
      if (error === undefined) resolve();
      else reject(new HttpError(error.status ?? 400, `The body cannot be read: ${error.message}`));
    });
  });
}
