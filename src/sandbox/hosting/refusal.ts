import type { z } from 'zod';

/** What is wrong with one field of a request; `field` is a dotted path, empty for the whole. */
export interface Complaint {
  readonly in: 'params' | 'query' | 'body';
  readonly field: string;
  readonly message: string;
}

interface RefusalOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly details?: readonly Complaint[];
}

/** A call that the service refuses, with the status and the machine-readable code that the caller is told. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: readonly Complaint[] | undefined;

  constructor(status: number, code: string, message: string, { headers = {}, details }: RefusalOptions = {}) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.details = details;
  }

  toResponse(): Response {
    const { code, message, details } = this;
    return Response.json(
      { success: false, error: { code, message, ...(details && { details }) } },
      { status: this.status, headers: this.headers },
    );
  }
}

/** Refuses with 400: what was sent cannot be read. */
export function badRequest(message: string): Refusal {
  return new Refusal(400, 'bad_request', message);
}

/** Refuses with 404: what the call is about does not exist. */
export function notFound(message: string): Refusal {
  return new Refusal(404, 'not_found', message);
}

/** Refuses with 409: the state of things does not allow it. */
export function conflict(message: string): Refusal {
  return new Refusal(409, 'conflict', message);
}

/** Refuses a request for the sake of one or more of its fields; the message repeats the first complaint. */
export function unprocessable(details: readonly Complaint[]): Refusal {
  const [first] = details;
  const message = first ? `${first.field || first.in}: ${first.message}` : 'The request is not valid.';
  return new Refusal(422, 'validation_failed', message, { details });
}

/** Refuses a body for the sake of one field that its schema could not judge. */
export function unprocessableField(field: string, message: string): Refusal {
  return unprocessable([{ in: 'body', field, message }]);
}

/** Lists what a schema found wrong with one part of a request. */
export function complaintsOf(place: Complaint['in'], result: z.ZodSafeParseResult<unknown>): Complaint[] {
  const issues = result.error?.issues ?? [];
  return issues.map(({ path, message }) => ({ in: place, field: path.join('.'), message }));
}

/** Refuses a body unless one of its fields is one of `choices`. */
export function requireChoice(field: string, value: string, choices: readonly string[]): void {
  if (!choices.includes(value)) throw unprocessableField(field, `Expected one of ${choices.join(', ')}.`);
}
