import { z } from 'zod';
import { RackhandError } from './error.ts';
import { contract, type OpenPaths } from './hosting/contract.ts';
import type { KeyHeader } from './hosting/request.ts';

/** What the app is assembled by. */
export interface AppSettings {
  readonly slack: {
    readonly apiUrl: string;
    readonly delivery: SlackDelivery;
    /** Lets any workspace install the app from a page of its own. */
    readonly oauth?: SlackOauth;
  };
  /** Where people reach the server, without a slash at the end; nothing where that is not known. */
  readonly publicUrl?: string;
  /** Where the server listens: health, metrics, the install page, and what Slack delivers over HTTP. */
  readonly server: {
    /** 0 takes a free one. */
    readonly port: number;
    /** Address to listen on; all of them where it is left out. */
    readonly host?: string;
  };
  readonly hosting: {
    readonly baseUrl: string;
    readonly keyHeader: KeyHeader;
    readonly openPaths: OpenPaths;
    /** Actions that are offered for a VPS; the API document shows no more than `reboot`. */
    readonly vpsActions: readonly [string, ...string[]];
  };
  /** 32 bytes each; the first encrypts. */
  readonly encryptionKeys: readonly [Uint8Array, ...Uint8Array[]];
  readonly databaseUrl: string;
  readonly redisUrl?: string;
  /** How long the record is kept; 0 keeps it for ever, and without it, it is kept for a year. */
  readonly recordRetentionDays?: number;
}

/** Everything that the environment says. */
export interface Config extends AppSettings {
  /** The one workspace that the environment names, with its API key if that is there too. */
  readonly workspace?: { readonly botToken: string; readonly apiKey?: string };
  readonly logLevel: LogLevel;
}

export type SlackDelivery =
  | { readonly mode: 'socket'; readonly appToken: string }
  | { readonly mode: 'http'; readonly signingSecret: string };

/** What the app is known by to Slack when a workspace installs it. */
export interface SlackOauth {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Signs what a browser carries from the install page to Slack and back. */
  readonly stateSecret: string;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type LogLevel = (typeof logLevels)[number];

const logLevel = z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` });

/** Reads a `LOG_LEVEL`; what is none reads as `info`. */
export function readLogLevel(text: string): LogLevel {
  return logLevel.catch('info').parse(text);
}

const webUrl = z.url({ protocol: /^https?$/, error: 'must be a URL that begins with https:// or http://' });

/** Tells whether a URL has nothing but an address; what is none is complained of elsewhere. */
function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].every((part) => part === '');
}

const encryptionKeyShape = 'must be 32 random bytes in base64, as `openssl rand -base64 32` prints them';

const encryptionKey = z
  .base64({ error: encryptionKeyShape })
  .transform((text) => new Uint8Array(Buffer.from(text, 'base64')))
  .refine((bytes) => bytes.length === 32, { error: encryptionKeyShape });

const encryptionKeys = z
  .string()
  .transform((text) => text.split(',').map((key) => key.trim()))
  .pipe(z.tuple([encryptionKey], encryptionKey));

/** The settings that replace the paths of routes which the API document leaves open, each with the placeholders that its route has. */
const openPaths = z.object(
  Object.fromEntries(
    Object.values(contract).flatMap((route) =>
      'openPath' in route ? [[route.openPath, openPath(route.path)]] : [],
    ),
  ),
);

function openPath(original: string) {
  const wanted = placeholders(original);
  const places = wanted.length > 0 ? ` and have ${wanted.join(', ')} in it` : ' and have nothing in braces';
  const isLike = (path: string) => path.startsWith('/v1/') && placeholders(path).join() === wanted.join();
  return z
    .string()
    .refine(isLike, { error: `must begin with /v1/${places}` })
    .optional();
}

function placeholders(path: string): readonly string[] {
  return path.match(/\{\w+\}/g) ?? [];
}

const vpsAction = z.string().regex(/^[\w.-]{1,64}$/, { error: 'must be words with commas between them' });

/** Shorter ones could be guessed, and with them who installs what. */
const stateSecretChars = 16;

const port = { error: 'must be a port, 0 to 65535' };

const days = { error: 'must be a number of days, 0 to 36500' };

const storage = {
  ENCRYPTION_KEYS: encryptionKeys,
  DATABASE_URL: z
    .string()
    .regex(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/, { error: 'must be sqlite:FILE or postgres://…' })
    .default('sqlite:data/rackhand.db'),
};

const oauthSettings = ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_STATE_SECRET'] as const;

/** What the settings of Slack have to do with each other; they are looked at though others may be malformed. */
const goTogether = [
  rule(
    'SLACK_BOT_TOKEN',
    (env) => env.SLACK_BOT_TOKEN || oauthSettings.some((name) => env[name]),
    `is missing: set it for one workspace, or ${oauthSettings.join(', ')} for many`,
  ),
  ...oauthSettings.map((name) =>
    rule(
      name,
      (env) => env[name] || !oauthSettings.some((other) => env[other]),
      `is missing: ${oauthSettings.join(', ')} go together`,
    ),
  ),
  rule(
    'HOSTING_API_KEY',
    (env) => env.SLACK_BOT_TOKEN || !env.HOSTING_API_KEY,
    'is for the workspace of SLACK_BOT_TOKEN, which is missing: every other workspace connects a key of its own',
  ),
  rule(
    'SLACK_APP_TOKEN',
    (env) => env.SLACK_APP_TOKEN || env.SLACK_SIGNING_SECRET,
    'is missing: set it for Socket Mode, or SLACK_SIGNING_SECRET for HTTP',
  ),
];

function rule(path: string, holds: (env: Readonly<Record<string, unknown>>) => unknown, error: string) {
  return z.refine<Readonly<Record<string, unknown>>>((env) => Boolean(holds(env)), {
    path: [path],
    error,
    when: () => true,
  });
}

const environment = z
  .object({
    SLACK_BOT_TOKEN: z.string().startsWith('xoxb-', { error: 'must begin with xoxb-' }).optional(),
    SLACK_APP_TOKEN: z.string().startsWith('xapp-', { error: 'must begin with xapp-' }).optional(),
    SLACK_SIGNING_SECRET: z.string().optional(),
    SLACK_CLIENT_ID: z.string().optional(),
    SLACK_CLIENT_SECRET: z.string().optional(),
    SLACK_STATE_SECRET: z
      .string()
      .min(stateSecretChars, { error: `must have at least ${stateSecretChars} characters` })
      .optional(),
    SLACK_API_URL: webUrl.default('https://slack.com/api/'),
    HOSTING_API_URL: webUrl
      .refine((url) => !/\/v1\/?(?:[?#].*)?$/.test(url), {
        error: 'must not end with /v1: every path has it',
      })
      .refine(isPlainUrl, { error: 'must be without a user, a password, a query and a fragment' }),
    HOSTING_API_KEY: z
      .string()
      .regex(/^[\x21-\x7e]+$/, { error: 'must not contain spaces or line breaks' })
      .optional(),
    HOSTING_KEY_HEADER: z
      .enum(['authorization', 'x-api-key'], { error: 'must be authorization or x-api-key' })
      .default('authorization'),
    HOSTING_VPS_ACTIONS: z
      .string()
      .default('reboot')
      .transform((text) => text.split(',').map((action) => action.trim()))
      .pipe(z.tuple([vpsAction], vpsAction)),
    ...storage,
    REDIS_URL: z
      .url({ protocol: /^rediss?$/, error: 'must be a URL that begins with redis:// or rediss://' })
      .optional(),
    PUBLIC_URL: webUrl
      .refine(isPlainUrl, { error: 'must be without a user, a password, a query and a fragment' })
      .transform((url) => url.replace(/\/+$/, ''))
      .optional(),
    RECORD_RETENTION_DAYS: z.coerce.number(days).int(days).min(0, days).max(36_500, days).default(365),
    PORT: z.coerce.number(port).int(port).min(0, port).max(65535, port).default(3000),
    LOG_LEVEL: logLevel.default('info'),
  })
  .check(...goTogether);

/** Reads the settings. Throws one `setting_invalid` whose message names every missing or malformed one. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = givenIn(env);
  const parsed = environment.safeParse(given);
  const paths = openPaths.safeParse(given);
  if (!parsed.success || !paths.success) {
    throw complaint([...(parsed.error?.issues ?? []), ...(paths.error?.issues ?? [])], given);
  }
  const { data } = parsed;
  return {
    slack: {
      apiUrl: data.SLACK_API_URL,
      delivery: data.SLACK_APP_TOKEN
        ? { mode: 'socket', appToken: data.SLACK_APP_TOKEN }
        : { mode: 'http', signingSecret: data.SLACK_SIGNING_SECRET ?? '' },
      ...oauthIn(data),
    },
    server: { port: data.PORT },
    ...(data.PUBLIC_URL && { publicUrl: data.PUBLIC_URL }),
    hosting: {
      baseUrl: data.HOSTING_API_URL,
      keyHeader: data.HOSTING_KEY_HEADER,
      openPaths: paths.data,
      vpsActions: data.HOSTING_VPS_ACTIONS,
    },
    ...(data.SLACK_BOT_TOKEN && {
      workspace: {
        botToken: data.SLACK_BOT_TOKEN,
        ...(data.HOSTING_API_KEY && { apiKey: data.HOSTING_API_KEY }),
      },
    }),
    encryptionKeys: data.ENCRYPTION_KEYS,
    databaseUrl: data.DATABASE_URL,
    ...(data.REDIS_URL && { redisUrl: data.REDIS_URL }),
    recordRetentionDays: data.RECORD_RETENTION_DAYS,
    logLevel: data.LOG_LEVEL,
  };
}

function oauthIn({
  SLACK_CLIENT_ID: clientId,
  SLACK_CLIENT_SECRET: clientSecret,
  SLACK_STATE_SECRET: stateSecret,
}: z.infer<typeof environment>): { readonly oauth?: SlackOauth } {
  return clientId && clientSecret && stateSecret ? { oauth: { clientId, clientSecret, stateSecret } } : {};
}

/** Reads the settings of the database alone. Throws as `readConfig` does. */
export function readStorageConfig(
  env: Readonly<Record<string, string | undefined>>,
): Pick<AppSettings, 'encryptionKeys' | 'databaseUrl'> {
  const given = givenIn(env);
  const parsed = z.object(storage).safeParse(given);
  if (!parsed.success) throw complaint(parsed.error.issues, given);
  return { encryptionKeys: parsed.data.ENCRYPTION_KEYS, databaseUrl: parsed.data.DATABASE_URL };
}

function givenIn(env: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
}

function complaint(
  issues: readonly z.core.$ZodIssue[],
  given: Readonly<Record<string, unknown>>,
): RackhandError {
  const lines = new Set(issues.map((issue) => describe(issue, given)));
  return new RackhandError(
    'setting_invalid',
    ['Rackhand cannot start with these settings:', ...lines].join('\n  '),
  );
}

function describe(issue: z.core.$ZodIssue, given: Readonly<Record<string, unknown>>): string {
  const name = String(issue.path[0]);
  return `${name} ${name in given || issue.code === 'custom' ? issue.message : 'is missing'}`;
}
