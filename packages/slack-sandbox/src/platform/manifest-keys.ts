/**
 * The keys of a manifest, from Slack's published schema (github.com/slackapi/manifest-schema, 1.0.0 and 2.0.0),
 * and those for search and work objects, which only Slack's templates show.
 */
export const slackManifestKeys: ReadonlySet<string> = new Set(
  `
  _metadata _metadata.major_version _metadata.min_version _metadata.minor_version
  _metadata.schema_version app_directory app_directory.app_directory_categories
  app_directory.direct_install_url app_directory.installation_landing_page app_directory.pricing
  app_directory.privacy_policy_url app_directory.support_email app_directory.support_url
  app_directory.supported_languages app_directory.use_direct_install datastores display_information
  display_information.background_color display_information.description
  display_information.long_description display_information.name external_auth_providers
  external_auth_providers.oauth2 features features.agent_view features.agent_view.actions
  features.agent_view.actions[].description features.agent_view.actions[].name
  features.agent_view.agent_description features.agent_view.suggested_prompts
  features.agent_view.suggested_prompts[].message features.agent_view.suggested_prompts[].title
  features.app_home features.app_home.home_tab_enabled features.app_home.messages_tab_enabled
  features.app_home.messages_tab_read_only_enabled features.assistant_view
  features.assistant_view.assistant_description features.assistant_view.suggested_prompts
  features.assistant_view.suggested_prompts[].message features.assistant_view.suggested_prompts[].title
  features.bot_user features.bot_user.always_online features.bot_user.display_name features.functions
  features.functions[].callback_id features.functions[].description features.functions[].input_parameters
  features.functions[].input_parameters[].description features.functions[].input_parameters[].is_required
  features.functions[].input_parameters[].name features.functions[].input_parameters[].title
  features.functions[].input_parameters[].type features.functions[].output_parameters
  features.functions[].output_parameters[].description
  features.functions[].output_parameters[].is_required features.functions[].output_parameters[].name
  features.functions[].output_parameters[].title features.functions[].output_parameters[].type
  features.functions[].title features.shortcuts features.shortcuts[].callback_id
  features.shortcuts[].description features.shortcuts[].name features.shortcuts[].type
  features.slash_commands features.slash_commands[].command features.slash_commands[].description
  features.slash_commands[].should_escape features.slash_commands[].url
  features.slash_commands[].usage_hint features.rich_previews
  features.rich_previews.entity_types features.rich_previews.is_active features.search
  features.search.search_filters_function_callback_id features.search.search_function_callback_id
  features.unfurl_domains features.workflow_steps
  features.workflow_steps[].callback_id features.workflow_steps[].name functions mcp_servers oauth_config
  oauth_config.pkce_enabled oauth_config.redirect_urls oauth_config.scopes oauth_config.scopes.bot
  oauth_config.scopes.bot_optional oauth_config.scopes.user oauth_config.scopes.user_optional
  oauth_config.token_management_enabled outgoing_domains settings settings.allowed_ip_address_ranges
  settings.event_subscriptions settings.event_subscriptions.bot_events
  settings.event_subscriptions.metadata_subscriptions
  settings.event_subscriptions.metadata_subscriptions[].app_id
  settings.event_subscriptions.metadata_subscriptions[].event_type
  settings.event_subscriptions.request_url settings.event_subscriptions.user_events
  settings.function_runtime settings.hermes_app_type settings.incoming_webhooks
  settings.incoming_webhooks.incoming_webhooks_enabled settings.interactivity
  settings.interactivity.is_enabled settings.interactivity.message_menu_options_url
  settings.interactivity.request_url settings.is_hosted settings.is_mcp_enabled
  settings.org_deploy_enabled settings.siws_links settings.siws_links.initiate_uri
  settings.socket_mode_enabled settings.token_rotation_enabled types workflows
  `
    .trim()
    .split(/\s+/),
);
