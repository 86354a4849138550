import { isObject } from '../json.ts';

/** Settings that nearly every app reads. They are set even if the app's environment lacks them. */
const usualSettings: ReadonlySet<string> = new Set([
  ...['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET'],
]);

/** The sandbox's setting that replaces a token, by the token's prefix. */
const tokenSettings: ReadonlyMap<string, string> = new Map([
  ['xoxb-', 'SLACK_BOT_TOKEN'],
  ['xapp-', 'SLACK_APP_TOKEN'],
  ['xoxp-', 'SLACK_USER_TOKEN'],
]);

/**
 * Sets the app's credentials to those of the sandbox, so that real ones are never sent. A bot token
 * that the sandbox knows stays. Tokens under other names are found by their prefixes. Returns the
 * names of the values that were replaced.
 */
export function replaceCredentials(env: Record<string, string | undefined>, settings: unknown): string[] {
  if (!isObject(settings) || !isObject(settings.env)) return [];
  const known = Array.isArray(settings.bot_tokens) ? settings.bot_tokens : [];
  const replaced: string[] = [];
  for (const [name, value] of Object.entries(settings.env)) {
    const current = env[name];
    if (typeof value !== 'string' || current === value || known.includes(current)) continue;
    if (current === undefined && !usualSettings.has(name)) continue;
    if (current !== undefined) replaced.push(name);
    env[name] = value;
  }
  for (const [name, value] of Object.entries(env)) {
    const setting = value === undefined ? undefined : tokenSettings.get(value.slice(0, 'xoxb-'.length));
    const own = setting === undefined ? undefined : settings.env[setting];
    if (typeof own !== 'string' || value === own || known.includes(value)) continue;
    env[name] = own;
    replaced.push(name);
  }
  return replaced;
}
