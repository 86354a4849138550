/** The events that the sandbox sends. Only these can be passed to the event dispatcher. */
export const coveredEventNames = [
  'app_home_opened',
  'app_mention',
  'app_uninstalled',
  'member_joined_channel',
  'message.channels',
  'message.groups',
  'message.im',
  'message.mpim',
  'team_access_revoked',
  'tokens_revoked',
] as const;

export type CoveredEventName = (typeof coveredEventNames)[number];

/** The keys of a manifest that the sandbox ignores, although they change what an app can do at Slack. */
export const ignoredManifestKeys: readonly string[] = [
  'datastores',
  'external_auth_providers',
  'features.agent_view',
  'features.assistant_view',
  'features.functions',
  'features.unfurl_domains',
  'features.workflow_steps',
  'functions',
  'mcp_servers',
  'oauth_config.pkce_enabled',
  'oauth_config.scopes.user',
  'oauth_config.token_management_enabled',
  'settings.allowed_ip_address_ranges',
  'settings.event_subscriptions.metadata_subscriptions',
  'settings.event_subscriptions.user_events',
  'settings.incoming_webhooks',
  'settings.is_mcp_enabled',
  'settings.token_rotation_enabled',
  'workflows',
];
