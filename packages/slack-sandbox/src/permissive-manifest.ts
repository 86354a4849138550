import { type AppManifest, readManifest } from './manifest.ts';
import { coveredEventNames } from './platform/coverage.ts';
import { slackScopeNames } from './platform/scope-names.ts';

/**
 * Returns the manifest of an app that has none: it has every scope, gets every event, and every command
 * and shortcut exists.
 */
export function createPermissiveManifest(): AppManifest {
  const scopes = [...slackScopeNames];
  const manifest = readManifest({
    display_information: { name: 'Your App' },
    features: {
      app_home: { home_tab_enabled: true, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: 'Your App' },
    },
    oauth_config: { scopes: { bot: scopes, user: scopes } },
    settings: {
      event_subscriptions: {
        // An app with both would get every direct message twice.
        bot_events: coveredEventNames.filter((name) => name !== 'message.app_home'),
      },
      interactivity: { is_enabled: true },
      socket_mode_enabled: true,
    },
  });
  return { ...manifest, isPermissive: true };
}
