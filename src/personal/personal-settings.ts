/** Which finished runs a person gets a message about, with the labels in the form. */
export const runNoticeLabels = {
  off: 'Never',
  failed: 'When it fails',
  ended: 'When it is done or fails',
} as const;

/** The settings that a person can change for themselves. */
export interface PersonalSettings {
  readonly notify: keyof typeof runNoticeLabels;
  /** An IANA time zone. If undefined, the zone in the Slack profile is used. */
  readonly zone: string | undefined;
}

export const defaultSettings: PersonalSettings = { notify: 'off', zone: undefined };
