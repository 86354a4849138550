import type { z } from 'zod';

/** A problem with one field of a request. `field` is a dotted path, or empty if the whole request is wrong. */
export interface FieldError {
  readonly in: 'params' | 'query' | 'body';
  readonly field: string;
  readonly message: string;
}

interface ApiErrorOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly details?: readonly FieldError[];
}

/** A rejected call, with the status and machine-readable code for the caller. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: readonly FieldError[] | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    { headers = {}, details }: ApiErrorOptions = {},
  ) {
    super(message);
    this.name = 'ApiError';
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

export function badRequest(message: string): ApiError {
  return new ApiError(400, 'bad_request', message);
}

export function notFound(message: string): ApiError {
  return new ApiError(404, 'not_found', message);
}

export function conflict(message: string): ApiError {
  return new ApiError(409, 'conflict', message);
}

/** Creates a validation error for one or more fields. Its message repeats the first problem. */
export function unprocessable(details: readonly FieldError[]): ApiError {
  const [first] = details;
  const message = first ? `${first.field || first.in}: ${first.message}` : 'The request is not valid.';
  return new ApiError(422, 'validation_failed', message, { details });
}

/** Creates a validation error for one field, for rules that its schema can't check. */
export function unprocessableField(field: string, message: string): ApiError {
  return unprocessable([{ in: 'body', field, message }]);
}

/** Converts a schema's errors for one part of a request. */
export function toFieldErrors(place: FieldError['in'], result: z.ZodSafeParseResult<unknown>): FieldError[] {
  const issues = result.error?.issues ?? [];
  return issues.map(({ path, message }) => ({ in: place, field: path.join('.'), message }));
}

/** Throws a validation error unless the field's value is one of `choices`. */
export function assertChoice(field: string, value: string, choices: readonly string[]): void {
  if (!choices.includes(value)) throw unprocessableField(field, `Expected one of ${choices.join(', ')}.`);
}
