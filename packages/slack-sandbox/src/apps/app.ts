/** An app's IDs at Slack, and the secrets that prove its identity. */
export interface SlackApp {
  /** Counts from 1, in the order in which the apps were named. */
  readonly number: number;
  readonly id: string;
  readonly appToken: string;
  readonly signingSecret: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The `token` in every payload. It is obsolete, so apps should not rely on it. */
  readonly verificationToken: string;
}

/** Returns the credentials of the app with this number. Those of the first app have no number. */
export function createApp(number: number): SlackApp {
  const suffix = number === 1 ? '' : `-${number}`;
  return {
    number,
    id: `A0SANDBOX${number === 1 ? '' : number}`,
    appToken: `xapp-sandbox${suffix}`,
    signingSecret: `sandbox-signing-secret${suffix}`,
    clientId: `sandbox-client-id${suffix}`,
    clientSecret: `sandbox-client-secret${suffix}`,
    verificationToken: `sandbox-verification-token${suffix}`,
  };
}

/** Returns the name of an app's bot user: letters, digits, `.`, `_` and `-`. */
export function toBotUserName(botName: string): string {
  return botName.toLowerCase().replaceAll(/[^\p{L}\p{N}._-]/gu, '') || 'app';
}
