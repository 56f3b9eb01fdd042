import { messageOf } from '../../lib/error-text.ts';
import { documentSchema } from './documents.ts';
import { CorruptRecordError, sealBytes } from './record.ts';

export const documentKind = 'document';
const entriesPerTurn = 1000;
const encoder = new TextEncoder();

/** Encodes a document without a seal. Yields regularly, also within a long array. */
export function* writeDocument(value: unknown): Generator<void, Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  if (Array.isArray(value) && value.length > entriesPerTurn) {
    for (let from = 0; from < value.length; from += entriesPerTurn) {
      const text = JSON.stringify(value.slice(from, from + entriesPerTurn)).slice(1, -1);
      parts.push(encoder.encode(`${from === 0 ? '[' : ','}${text}`));
      yield;
    }
    parts.push(encoder.encode(']'));
  } else {
    parts.push(encoder.encode(JSON.stringify(value)));
  }
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, sealBytes));
  let at = sealBytes;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** The value of a document. Throws a `CorruptRecordError` if it violates the schema. */
export function readDocument(name: string, payload: Uint8Array): unknown {
  const schema = documentSchema(name);
  if (schema === undefined) throw new CorruptRecordError('no document has this name');
  const checked = schema.safeParse(parse(payload));
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? 'it' : issue.path.join('.');
  throw new CorruptRecordError(`${where} is not as expected: ${issue?.message}`);
}

function parse(payload: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(payload));
  } catch (error) {
    const why = messageOf(error);
    throw new CorruptRecordError(`it is not JSON: ${why}`, { cause: error });
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });
