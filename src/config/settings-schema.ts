import { z } from 'zod';
import { readMappingFile } from '../hosting/payloads/mapping-file.ts';
import { isLocalUrl, isMetadataUrl } from './url-rules.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const logLevel = z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` });

const webUrl = z.url({ protocol: /^https?$/, error: 'must be a URL that starts with https:// or http://' });

const secretUrl = webUrl
  .refine((url) => !isMetadataUrl(url), { error: "must not be the address of a cloud's metadata service" })
  .refine((url) => !/^http:/i.test(url) || isLocalUrl(url) || isMetadataUrl(url), {
    error: 'must use https://, because keys are sent there',
  });

/**
 * Returns whether a URL contains no user, password, query or fragment. Also true for an invalid URL, which
 * another check reports.
 */
function hasOnlyAddress(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].every((part) => part === '');
}

const addressUrl = webUrl
  .refine(hasOnlyAddress, { error: 'must not contain a user, password, query or fragment' })
  .transform((url) => url.replace(/\/+$/, ''));

const encryptionKeyError = 'must be 32 random bytes in base64; create them with `openssl rand -base64 32`';

const encryptionKey = z
  .base64({ error: encryptionKeyError })
  .transform((text) => new Uint8Array(Buffer.from(text, 'base64')))
  .refine((bytes) => bytes.length === 32 && bytes.some((byte) => byte !== 0), { error: encryptionKeyError });

const encryptionKeys = z
  .string()
  .transform((text) => text.split(',').map((key) => key.trim()))
  .pipe(z.tuple([encryptionKey], encryptionKey));

const vpsAction = z
  .string()
  .regex(/^(?!\.+$)[\w.-]{1,64}$/, { error: 'must be a comma-separated list of actions' });

/** Minimum length of a secret. A shorter secret could be guessed and used to forge requests or installations. */
const minSecretChars = 16;

const secret = z.string().min(minSecretChars, { error: `must have at least ${minSecretChars} characters` });

/**
 * A value for an HTTP header, such as a token. Other characters are rejected, because such a value can't
 * be sent and the HTTP client's error would contain it.
 */
const headerValue = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]+$/, {
    error: 'must contain only letters, digits and ASCII punctuation, without spaces or line breaks',
  });

function slackToken(prefix: string) {
  return headerValue.startsWith(prefix, { error: `must start with ${prefix}` });
}

const portError = { error: 'must be a port, 0 to 65535' };

const secondsError = { error: 'must be a number of seconds, 1 to 600' };

const workspaceId = z
  .string()
  .regex(/^[TE][A-Z0-9]{2,}$/, { error: 'must be a comma-separated list of IDs that start with T or E' });

const workspaceIds = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((id) => id.trim() || []))
  .pipe(z.array(workspaceId));

const port = z.coerce.number(portError).int(portError).min(0, portError).max(65535, portError);

const shareError = { error: 'must be a percentage, 1 to 100' };

const share = z.coerce.number(shareError).int(shareError).min(1, shareError).max(100, shareError);

const daysError = { error: 'must be a number of days, 0 to 36500' };

const days = z.coerce.number(daysError).int(daysError).min(0, daysError).max(36_500, daysError);

/** The settings that database tools such as `npm run rekey` need. */
export const databaseSettings = {
  ENCRYPTION_KEYS: encryptionKeys,
  DATABASE_URL: z
    .string()
    .regex(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/, { error: 'must be sqlite:FILE or postgres://…' })
    .default('sqlite:data/rackhand.db'),
};

/** The hosting service's settings, as needed by `npm run doctor`. */
export const hostingSettings = {
  HOSTING_API_URL: secretUrl
    .refine((url) => !/\/v1\/?(?:[?#].*)?$/.test(url), {
      error: 'must not end with /v1: Rackhand adds it',
    })
    .refine(hasOnlyAddress, { error: 'must not contain a user, password, query or fragment' }),
  HOSTING_API_KEY: headerValue.optional(),
  HOSTING_KEY_HEADER: z
    .enum(['authorization', 'x-api-key'], { error: 'must be authorization or x-api-key' })
    .default('authorization'),
  HOSTING_VPS_ACTIONS: z
    .string()
    .default('reboot')
    .transform((text) => text.split(',').map((action) => action.trim()))
    .pipe(z.tuple([vpsAction], vpsAction)),
  HOSTING_PROFILE: z
    .string()
    .transform((path, context) => {
      try {
        return readMappingFile(path);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        context.addIssue({ code: 'custom', message: `names ${path}, which ${reason}` });
        return z.NEVER;
      }
    })
    .optional(),
};

const oauthSettingNames = ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_STATE_SECRET'] as const;

/** Rules that involve more than one setting. They are checked even if other settings are invalid. */
const crossSettingRules = [
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
    'SLACK_APP_TOKEN',
    (env) => env.SLACK_APP_TOKEN || env.SLACK_SIGNING_SECRET,
    'is missing: set it for Socket Mode, or SLACK_SIGNING_SECRET for HTTP',
  ),
];

/** All settings, except for the path overrides. */
export const settingsSchema = z
  .object({
    SLACK_BOT_TOKEN: slackToken('xoxb-').optional(),
    SLACK_APP_TOKEN: slackToken('xapp-').optional(),
    SLACK_SIGNING_SECRET: secret.optional(),
    SLACK_CLIENT_ID: z.string().optional(),
    SLACK_CLIENT_SECRET: z.string().optional(),
    SLACK_STATE_SECRET: secret.optional(),
    SLACK_TOKEN_ROTATION: z.enum(['on', 'off'], { error: 'must be on or off' }).default('off'),
    SLACK_API_URL: secretUrl.default('https://slack.com/api/'),
    ...hostingSettings,
    ...databaseSettings,
    PUBLIC_URL: addressUrl.optional(),
    QUOTA_PERSON_SHARE: share.default(80),
    AUDIT_RETENTION_DAYS: days.default(365),
    AUDIT_STREAM_FILE: z.string().optional(),
    BACKUP_DIR: z.string().optional(),
    UNINSTALL_GRACE_DAYS: days.default(30),
    STOP_GRACE_SECONDS: z.coerce
      .number(secondsError)
      .int(secondsError)
      .min(1, secondsError)
      .max(600, secondsError)
      .default(5),
    INSTALL_ALLOWED_WORKSPACES: workspaceIds,
    METRICS_PORT: port.optional(),
    METRICS_TOKEN: secret.optional(),
    HOST: z
      .string()
      .trim()
      .min(1)
      // In a URL, an IPv6 address has brackets.
      .transform((host) => host.replace(/^\[(.*)\]$/, '$1'))
      .optional(),
    PORT: port.default(3000),
    OTEL_EXPORTER_OTLP_ENDPOINT: addressUrl.optional(),
    LOG_LEVEL: logLevel.default('info'),
  })
  .check(...crossSettingRules);

function rule(path: string, isMet: (env: Readonly<Record<string, unknown>>) => unknown, error: string) {
  return z.refine<Readonly<Record<string, unknown>>>((env) => Boolean(isMet(env)), {
    path: [path],
    error,
    when: () => true,
  });
}
