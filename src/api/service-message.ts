import { z } from 'zod';

/** API 3.1, section 7: `{error: {statuscode, statusdesc, errormessage}}`. */
const errorBody = z.object({ error: z.object({ errormessage: z.string() }) });

/** The service's own words about a failed request, if the body has the documented form. */
export function serviceMessage(body: Buffer): string | undefined {
  try {
    return errorBody.safeParse(JSON.parse(body.toString('utf8'))).data?.error.errormessage;
  } catch {
    return undefined;
  }
}
