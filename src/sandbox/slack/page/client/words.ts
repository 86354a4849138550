/** Slack's short names for what went wrong between it and the app, in a sentence. */
const meanings: Readonly<Record<string, (app: string) => string>> = {
  operation_timeout: (app) => `${app} did not acknowledge this within 3 seconds (operation_timeout).`,
  dispatch_failed: (app) => `${app} could not be reached (dispatch_failed).`,
  http_client_error: (app) => `${app} refused this (http_client_error).`,
  http_service_error: (app) => `${app} failed (http_service_error).`,
};

/** Says what a person reads for the `error` of an answer. */
export function explain(error: string, app: string): string {
  return meanings[error]?.(app) ?? error;
}

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Counts things: `1 reply`, `2 replies`. */
export function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
