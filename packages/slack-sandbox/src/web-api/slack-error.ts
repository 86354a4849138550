import type { Problem } from '../block-kit/validation/validate.ts';
import { isObject, type JsonObject } from '../json.ts';

/** A call that Slack rejects, with the error code and further fields of the response. */
export class SlackError extends Error {
  readonly code: string;
  readonly detail: JsonObject;

  constructor(code: string, detail: JsonObject = {}) {
    super(code);
    this.name = 'SlackError';
    this.code = code;
    this.detail = detail;
  }
}

/** A rate-limited call, which gets HTTP 429 with `Retry-After`. */
export class RateLimitError extends SlackError {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('ratelimited');
    this.name = 'RateLimitError';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Lists the details of a rejection. If there are none, returns the error code. */
export function formatProblems({ code, detail }: SlackError): string[] {
  const messages = isObject(detail.response_metadata) ? detail.response_metadata.messages : undefined;
  const lines = Array.isArray(messages) ? messages.filter((line) => typeof line === 'string') : [];
  return lines.length > 0 ? lines : [code];
}

/**
 * Throws a `SlackError` listing the problems in `response_metadata.messages`. Its code is the first
 * problem's own, or else `code`.
 */
export function assertNoProblems(problems: readonly Problem[], code: string): void {
  if (problems.length === 0) return;
  const errors = problems.map(
    ({ pointer, message }) => `${message}${pointer && ` [json-pointer:${pointer}]`}`,
  );
  throw new SlackError(problems.find((problem) => problem.error)?.error ?? code, {
    // Slack repeats what is wrong with blocks here.
    ...(code === 'invalid_blocks' && { errors }),
    response_metadata: { messages: errors.map((error) => `[ERROR] ${error}`) },
  });
}
