/** A person's own settings. */
export interface PersonalSettingsTable {
  team_id: string;
  user_id: string;
  /** Which ended runs the person is notified about: `off`, `failed` or `ended`. */
  run_notices: string;
  /** `null` for the Slack profile's time zone. */
  time_zone: string | null;
}
