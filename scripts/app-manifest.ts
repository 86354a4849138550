import { parse, parseDocument, stringify } from 'yaml';

/** The path of Bolt's HTTP receiver. */
const eventsPath = '/slack/events';

/** The path to which Slack redirects after an OAuth installation. */
const redirectPath = '/slack/oauth_redirect';

/**
 * Converts the Socket Mode manifest to one for signed HTTP at `url`, if wanted with tokens that
 * expire. Throws unless `url` is https.
 */
export function toHttpManifest(
  socketManifest: string,
  url: string,
  { rotatesTokens = false }: { readonly rotatesTokens?: boolean } = {},
): string {
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:') {
    throw new Error(`Slack needs an https:// URL, but this is ${url}`);
  }
  const base = url.replace(/\/+$/, '');
  const eventsUrl = base + eventsPath;
  const manifest = parseDocument(socketManifest.replace(/^#.*\n/, '# Slack app manifest for HTTP.\n'));
  manifest.setIn(['oauth_config', 'redirect_urls'], [base + redirectPath]);
  manifest.setIn(['settings', 'socket_mode_enabled'], false);
  manifest.setIn(['settings', 'token_rotation_enabled'], rotatesTokens);
  manifest.setIn(['settings', 'event_subscriptions', 'request_url'], eventsUrl);
  manifest.setIn(['settings', 'interactivity', 'request_url'], eventsUrl);
  manifest.setIn(['settings', 'interactivity', 'message_menu_options_url'], eventsUrl);
  for (let index = 0; manifest.hasIn(['features', 'slash_commands', index]); index += 1) {
    manifest.setIn(['features', 'slash_commands', index, 'url'], eventsUrl);
  }
  return manifest.toString({ lineWidth: 0 });
}

/** Returns a link to Slack's page for a new app, with the manifest filled in. */
export function createAppLink(manifest: string): string {
  // Without comments, so that the link is short.
  const text = stringify(parse(manifest), { lineWidth: 0 });
  return `https://api.slack.com/apps?new_app=1&manifest_yaml=${encodeURIComponent(text)}`;
}
