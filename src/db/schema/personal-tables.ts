/** A person's own settings. */
export interface PersonalSettingsTable {
  team_id: string;
  user_id: string;
  /** Which of their runs the person gets a message about at the end: `off`, `failed` or `ended`. */
  run_notices: string;
  /** Null for the zone of the Slack profile. */
  time_zone: string | null;
}
