import { z } from 'zod';

const oauthSettingNames = ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_STATE_SECRET'] as const;

/** Rules that involve several settings. They are checked even if other settings are invalid. */
export const crossSettingRules = [
  rule(
    'SLACK_BOT_TOKEN',
    (env) => env.SLACK_BOT_TOKEN || oauthSettingNames.some((name) => env[name]),
    `is missing: set it for one workspace, or ${oauthSettingNames.join(', ')} for many`,
  ),
  ...oauthSettingNames.map((name) =>
    rule(
      name,
      (env) => env[name] || !oauthSettingNames.some((other) => env[other]),
      `is missing: set all of ${oauthSettingNames.join(', ')}`,
    ),
  ),
  rule(
    'SLACK_TOKEN_ROTATION',
    (env) => env.SLACK_TOKEN_ROTATION !== 'on' || (env.SLACK_CLIENT_ID && !env.SLACK_BOT_TOKEN),
    `needs ${oauthSettingNames.join(', ')}, and no SLACK_BOT_TOKEN: the first rotation would make that token useless`,
  ),
  rule(
    'HOSTING_API_KEY',
    (env) => env.SLACK_BOT_TOKEN || !env.HOSTING_API_KEY,
    'needs SLACK_BOT_TOKEN: other workspaces connect their own key in Slack',
  ),
  rule(
    'AUDIT_WEBHOOK_SECRET',
    (env) => !env.AUDIT_WEBHOOK_URL === !env.AUDIT_WEBHOOK_SECRET,
    'goes together with AUDIT_WEBHOOK_URL: set both',
  ),
  rule(
    'SLACK_APP_TOKEN',
    (env) => env.SLACK_APP_TOKEN || env.SLACK_SIGNING_SECRET,
    'is missing: set it for Socket Mode, or SLACK_SIGNING_SECRET for HTTP',
  ),
];

function rule(path: string, isMet: (env: Readonly<Record<string, unknown>>) => unknown, error: string) {
  return z.refine<Readonly<Record<string, unknown>>>((env) => Boolean(isMet(env)), {
    path: [path],
    error,
    when: () => true,
  });
}
