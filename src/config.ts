import { z } from 'zod';
import { RackhandError } from './error.ts';
import { contract, type OpenPaths } from './hosting/contract.ts';
import type { KeyHeader } from './hosting/request.ts';

/** What the app is assembled by. */
export interface AppSettings {
  readonly slack: {
    readonly apiUrl: string;
    readonly delivery: SlackDelivery;
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
}

/** Everything that the environment says. */
export interface Config extends AppSettings {
  /** The one workspace that the environment names, with its API key if that is there too. */
  readonly workspace?: { readonly botToken: string; readonly apiKey?: string };
  readonly logLevel: LogLevel;
}

export type SlackDelivery =
  | { readonly mode: 'socket'; readonly appToken: string }
  | {
      readonly mode: 'http';
      readonly signingSecret: string;
      readonly port: number;
      /** Address to listen on; all of them where it is left out. */
      readonly host?: string;
    };

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

const port = { error: 'must be a port, 0 to 65535' };

const environment = z
  .object({
    SLACK_BOT_TOKEN: z.string().startsWith('xoxb-', { error: 'must begin with xoxb-' }),
    SLACK_APP_TOKEN: z.string().startsWith('xapp-', { error: 'must begin with xapp-' }).optional(),
    SLACK_SIGNING_SECRET: z.string().optional(),
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
    ENCRYPTION_KEYS: encryptionKeys,
    DATABASE_URL: z
      .string()
      .regex(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/, { error: 'must be sqlite:FILE or postgres://…' })
      .default('sqlite:data/rackhand.db'),
    REDIS_URL: z
      .url({ protocol: /^rediss?$/, error: 'must be a URL that begins with redis:// or rediss://' })
      .optional(),
    PORT: z.coerce.number(port).int(port).min(0, port).max(65535, port).default(3000),
    LOG_LEVEL: logLevel.default('info'),
  })
  .refine((env) => env.SLACK_APP_TOKEN || env.SLACK_SIGNING_SECRET, {
    path: ['SLACK_APP_TOKEN'],
    error: 'is missing: set it for Socket Mode, or SLACK_SIGNING_SECRET for HTTP',
    when: () => true,
  });

/** Reads the settings. Throws one `setting_invalid` whose message names every missing or malformed one. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const parsed = environment.safeParse(given);
  const paths = openPaths.safeParse(given);
  if (!parsed.success || !paths.success) {
    const issues = [...(parsed.error?.issues ?? []), ...(paths.error?.issues ?? [])];
    throw new RackhandError(
      'setting_invalid',
      [
        'Rackhand cannot start with these settings:',
        ...new Set(issues.map((issue) => describe(issue, given))),
      ].join('\n  '),
    );
  }
  const { data } = parsed;
  return {
    slack: {
      apiUrl: data.SLACK_API_URL,
      delivery: data.SLACK_APP_TOKEN
        ? { mode: 'socket', appToken: data.SLACK_APP_TOKEN }
        : { mode: 'http', signingSecret: data.SLACK_SIGNING_SECRET ?? '', port: data.PORT },
    },
    hosting: {
      baseUrl: data.HOSTING_API_URL,
      keyHeader: data.HOSTING_KEY_HEADER,
      openPaths: paths.data,
      vpsActions: data.HOSTING_VPS_ACTIONS,
    },
    workspace: {
      botToken: data.SLACK_BOT_TOKEN,
      ...(data.HOSTING_API_KEY && { apiKey: data.HOSTING_API_KEY }),
    },
    encryptionKeys: data.ENCRYPTION_KEYS,
    databaseUrl: data.DATABASE_URL,
    ...(data.REDIS_URL && { redisUrl: data.REDIS_URL }),
    logLevel: data.LOG_LEVEL,
  };
}

function describe(issue: z.core.$ZodIssue, given: Readonly<Record<string, unknown>>): string {
  const name = String(issue.path[0]);
  return `${name} ${name in given || issue.code === 'custom' ? issue.message : 'is missing'}`;
}
