import type { Problem } from '../block-kit/check.ts';
import { isObject, type JsonObject } from '../json.ts';

/** A call that Slack refuses: its error code, and what stands beside it in the answer. */
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

/** A call that comes too often: HTTP 429 with `Retry-After`. */
export class RateLimitError extends SlackError {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('ratelimited');
    this.name = 'RateLimitError';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Lists what a refusal says in detail, or its code. */
export function problemsOf({ code, detail }: SlackError): string[] {
  const messages = isObject(detail.response_metadata) ? detail.response_metadata.messages : undefined;
  const lines = Array.isArray(messages) ? messages.filter((line) => typeof line === 'string') : [];
  return lines.length > 0 ? lines : [code];
}

/** Throws if there are problems, with their own error code or `code`, each as a line of `response_metadata.messages`. */
export function refuseIf(problems: readonly Problem[], code: string): void {
  if (problems.length === 0) return;
  const messages = problems.map(
    ({ pointer, message }) => `[ERROR] ${message}${pointer && ` [json-pointer:${pointer}]`}`,
  );
  throw new SlackError(problems.find((problem) => problem.error)?.error ?? code, {
    response_metadata: { messages },
  });
}
