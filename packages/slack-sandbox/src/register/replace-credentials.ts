import { isObject } from '../json.ts';

/** Settings that nearly every app reads. They are set even if the app's environment lacks them. */
const usualSettings: ReadonlySet<string> = new Set([
  ...['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET'],
]);

/** The sandbox's setting that replaces a token or webhook under any name, by the beginning of its value. */
const settingsByPrefix: readonly (readonly [prefix: string, setting: string])[] = [
  ['xoxb-', 'SLACK_BOT_TOKEN'],
  ['xapp-', 'SLACK_APP_TOKEN'],
  ['xoxp-', 'SLACK_USER_TOKEN'],
  ['https://hooks.slack.com/services/', 'SLACK_WEBHOOK_URL'],
];

type Env = Record<string, string | undefined>;

/**
 * Sets the app's credentials to those of the sandbox, so that real ones are never sent. A bot token
 * that the sandbox knows stays. Tokens and webhooks under other names are found by how they begin. Returns the
 * names of the values that were replaced.
 */
export function replaceCredentials(env: Env, settings: unknown): string[] {
  if (!isObject(settings) || !isObject(settings.env)) return [];
  for (const name of usualSettings) {
    const value = settings.env[name];
    if (typeof value === 'string') env[name] ??= value;
  }
  return Object.entries(env).flatMap(([name, value]) => {
    const own = value === undefined ? undefined : findReplacement(name, value, settings);
    if (own === undefined) return [];
    env[name] = own;
    return [name];
  });
}

/**
 * Returns the environment in which credentials that the app sets later, such as those of a `.env`
 * file, read as those of the sandbox too. `report` gets the name of each at its first use.
 */
export function watchCredentials(env: Env, settings: unknown, report: (name: string) => void): Env {
  const reported = new Set<string>();
  return new Proxy(env, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof name !== 'string' || typeof value !== 'string') return value;
      const own = findReplacement(name, value, settings);
      if (own === undefined) return value;
      if (!reported.has(name)) report(name);
      reported.add(name);
      return own;
    },
    // Node.js refuses an assignment whose receiver is the proxy.
    set: (target, name, value) => Reflect.set(target, name, value),
  });
}

/** Returns the sandbox's value for a credential, or undefined if the value is none or the sandbox's own. */
function findReplacement(name: string, value: string, settings: unknown): string | undefined {
  if (!isObject(settings) || !isObject(settings.env)) return undefined;
  const [, setting = name] = settingsByPrefix.find(([prefix]) => value.startsWith(prefix)) ?? [];
  const given = settings.env[name] ?? settings.env[setting];
  // Some clients refuse a webhook that isn't at Slack. Connections to Slack go to the sandbox anyway.
  const own = typeof given === 'string' && setting === 'SLACK_WEBHOOK_URL' ? toSlackUrl(given) : given;
  const isKnown = Array.isArray(settings.bot_tokens) && settings.bot_tokens.includes(value);
  return typeof own === 'string' && own !== value && !isKnown ? own : undefined;
}

/** Returns the URL at Slack that stands for a webhook of the sandbox. */
function toSlackUrl(webhook: string): string {
  return new URL(new URL(webhook).pathname, 'https://hooks.slack.com').href;
}
