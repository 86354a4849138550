/** Sentences for Slack's short error codes. */
const slackErrorTexts: Readonly<Record<string, (app: string) => string>> = {
  operation_timeout: (app) => `${app} did not acknowledge this within 3 seconds (operation_timeout).`,
  dispatch_failed: (app) => `${app} could not be reached (dispatch_failed).`,
  http_client_error: (app) => `${app} refused this (http_client_error).`,
  http_service_error: (app) => `${app} failed (http_service_error).`,
};

/** Returns the text that is shown for an `error` in a response. */
export function explainSlackError(error: string, app: string): string {
  return slackErrorTexts[error]?.(app) ?? error;
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Formats a count: `1 reply`, `2 replies`. */
export function pluralize(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
