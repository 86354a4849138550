/** A person's own settings. */
export interface PersonalSettingsTable {
  team_id: string;
  user_id: string;
  /** Which ended runs the person is notified of: `off`, `failed` or `ended`. */
  run_notices: string;
  /** `null` if the time zone from the Slack profile is used. */
  time_zone: string | null;
}
