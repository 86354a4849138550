import { parseDocument } from 'yaml';

/** Where Bolt's HTTP receiver listens for everything that Slack delivers. */
const eventsPath = '/slack/events';

/** Where Slack sends people back to who install the app by OAuth. */
const redirectPath = '/slack/oauth_redirect';

/** Turns the manifest for Socket Mode into the one for signed HTTP, delivered to the app at `url`. Throws for a URL that is not https. */
export function httpManifest(socketManifest: string, url: string): string {
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:') {
    throw new Error(`Slack delivers to https:// addresses only, and not to ${url}`);
  }
  const base = url.replace(/\/+$/, '');
  const address = base + eventsPath;
  const manifest = parseDocument(socketManifest.replace(/^#.*\n/, '# Slack app manifest for HTTP.\n'));
  manifest.setIn(['oauth_config', 'redirect_urls'], [base + redirectPath]);
  manifest.setIn(['settings', 'socket_mode_enabled'], false);
  manifest.setIn(['settings', 'event_subscriptions', 'request_url'], address);
  manifest.setIn(['settings', 'interactivity', 'request_url'], address);
  manifest.setIn(['settings', 'interactivity', 'message_menu_options_url'], address);
  const commands = manifest.getIn(['features', 'slash_commands']);
  const count =
    commands && typeof commands === 'object' && 'items' in commands && Array.isArray(commands.items)
      ? commands.items.length
      : 0;
  for (let index = 0; index < count; index += 1) {
    manifest.setIn(['features', 'slash_commands', index, 'url'], address);
  }
  return manifest.toString({ lineWidth: 0 });
}
