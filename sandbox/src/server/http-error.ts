import { STATUS_CODES } from 'node:http';

/** The body of every failed request (API 3.1, section 7). */
interface ErrorBody {
  readonly error: {
    readonly statuscode: number;
    readonly statusdesc: string;
    readonly errormessage: string;
  };
}

export function errorBody(statuscode: number, errormessage: string): ErrorBody {
  const statusdesc = STATUS_CODES[statuscode] ?? 'Error';
  return { error: { statuscode, statusdesc, errormessage } };
}

/** A request that the service refuses, with status and message. */
export class HttpError extends Error {
  override readonly name = 'HttpError' as const;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }

  get body(): ErrorBody {
    return errorBody(this.status, this.message);
  }
}

/** The documented message (API 3.1, section 7, rule 2). */
export const limitExceededMessage = 'Request limit exceeded, try again later';
