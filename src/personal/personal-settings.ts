/** Form labels for the choice of which finished runs a person gets a message about. */
export const runNoticeLabels = {
  off: 'Never',
  failed: 'When a change fails',
  ended: 'When a change is done or fails',
} as const;

export interface PersonalSettings {
  readonly notify: keyof typeof runNoticeLabels;
  /** An IANA time zone. If undefined, the Slack profile's zone applies. */
  readonly zone: string | undefined;
}

export const defaultSettings: PersonalSettings = { notify: 'off', zone: undefined };
