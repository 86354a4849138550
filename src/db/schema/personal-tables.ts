/** A person's own settings. */
export interface PersonalSettingsTable {
  team_id: string;
  user_id: string;
  /** Which ends of the person's runs they get a message about: `off`, `failed` or `ended`. */
  run_notices: string;
  /** Null for the zone of the Slack profile. */
  time_zone: string | null;
}
