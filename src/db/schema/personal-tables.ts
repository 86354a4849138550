/** A person's own settings. */
export interface PersonalSettingsTable {
  team_id: string;
  user_id: string;
  /** About which ended runs the person gets a message: `off`, `failed` or `ended`. */
  run_notices: string;
  /** Null for the zone of the Slack profile. */
  time_zone: string | null;
}
