/**
 * An action that Slack's client doesn't allow, such as clicking a button that doesn't exist, or
 * writing in a channel without being a member.
 */
export class InvalidActionError extends Error {
  readonly status: 400 | 404;

  constructor(message: string, status: 400 | 404 = 400) {
    super(message);
    this.name = 'InvalidActionError';
    this.status = status;
  }
}
