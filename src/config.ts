import { z } from 'zod';
import { pathOverridesSchema } from './config/path-overrides-schema.ts';
import { readSecretFiles } from './config/secret-files.ts';
import { databaseSettings, hostingSettings, logLevel, settingsSchema } from './config/settings-schema.ts';
import { isLocalUrl } from './config/url-rules.ts';
import { RackhandError } from './errors.ts';
import type { KeyHeader, RequestSettings } from './hosting/client/request.ts';
import type { PathOverrides } from './hosting/endpoints/contract.ts';
import type { FieldMapping } from './hosting/payloads/field-mapping.ts';

export interface AppSettings {
  readonly slack: {
    readonly apiUrl: string;
    readonly delivery: SlackDelivery;
    /** Set if any workspace can install the app from the install page. */
    readonly oauth?: SlackOauth;
    /** How long a reply can take before a notice says that Rackhand is working on it. Defaults to 2 s. */
    readonly workingNoticeMs?: number | undefined;
    /** How long (ms) clicks on a message are ignored after an edit. Defaults to 1.5 s. */
    readonly ignoreClicksMs?: number | undefined;
  };
  /** The server's public URL without a trailing slash, if known. */
  readonly publicUrl?: string;
  /** Serves health checks, metrics, the install page, and Slack's HTTP deliveries. */
  readonly server: {
    /** If 0, a free port is used. */
    readonly port: number;
    /** Address to listen on. Defaults to all addresses. */
    readonly host?: string;
    /** A separate port for `/metrics`. */
    readonly metricsPort?: number;
    readonly metricsToken?: string;
  };
  readonly hosting: {
    readonly baseUrl: string;
    readonly keyHeader: KeyHeader;
    readonly pathOverrides: PathOverrides;
    /** VPS actions that forms offer. The API document names only `reboot`. */
    readonly vpsActions: readonly [string, ...string[]];
    /** Field mappings from the file named by HOSTING_PROFILE. */
    readonly profile?: readonly FieldMapping[] | undefined;
  };
  /** IDs of the workspaces and organizations that can install the app. If empty, any can. */
  readonly allowedWorkspaces?: readonly string[];
  /** A file to which activity log entries are appended. */
  readonly auditStreamFile?: string;
  /** 32 bytes each. The first key encrypts; all keys decrypt. */
  readonly encryptionKeys: readonly [Uint8Array, ...Uint8Array[]];
  readonly databaseUrl: string;
  /** Share of a key's quota that one person can use, from 0 to 1. Defaults to 0.8. */
  readonly quotaPersonShare?: number;
  /** How long a service response is shared with other people who ask for the same data. Defaults to 3 s. */
  readonly sharedReadMs?: number;
  /** How many days audit entries are kept. 0 keeps them forever. Defaults to a year. */
  readonly auditRetentionDays?: number;
  /** How many days a workspace's data is kept after it removes the app. Defaults to 30. */
  readonly uninstallGraceDays?: number;
  /** Set if the database is backed up daily. */
  readonly backups?: BackupSettings;
  /** URL of the OTLP receiver for traces. By default, no traces are sent. */
  readonly otlpEndpoint?: string | undefined;
  /** How long `stop` can take. Defaults to 5 s. */
  readonly stopGraceSeconds?: number;
}

export interface BackupSettings {
  readonly dir: string;
  /** How many backups to keep. Older ones are deleted after each new backup. */
  readonly keep: number;
}

export interface Config extends AppSettings {
  /** The workspace that SLACK_BOT_TOKEN belongs to, with HOSTING_API_KEY if set. */
  readonly workspace?: { readonly botToken: string; readonly apiKey?: string };
  readonly logLevel: LogLevel;
  /** Warnings about settings that are allowed but unsafe. Logged at startup. */
  readonly warnings: readonly string[];
}

export type SlackDelivery =
  | { readonly mode: 'socket'; readonly appToken: string }
  | { readonly mode: 'http'; readonly signingSecret: string };

export interface SlackOauth {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Signs the OAuth state, which protects against forged installations. */
  readonly stateSecret: string;
  /** Whether tokens that never expire are exchanged for rotating ones. */
  readonly migratesTokens?: boolean;
}

export type LogLevel = z.infer<typeof logLevel>;

/** Parses a `LOG_LEVEL`. An invalid level becomes `info`. */
export function parseLogLevel(text: string): LogLevel {
  return logLevel.catch('info').parse(text);
}

const keptBackups = 14;

/** All settings' names. docs/settings.md explains each setting. */
export const settingNames = Object.keys({ ...settingsSchema.shape, ...pathOverridesSchema.shape });

/** Reads the settings. Throws one `setting_invalid` error that lists all missing and invalid settings. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const settings = nonEmptySettings(env);
  const parsed = settingsSchema.safeParse(settings);
  const paths = pathOverridesSchema.safeParse(settings);
  if (!parsed.success || !paths.success) {
    throw settingsError([...(parsed.error?.issues ?? []), ...(paths.error?.issues ?? [])], settings);
  }
  const { data } = parsed;
  return {
    slack: {
      apiUrl: data.SLACK_API_URL,
      delivery: data.SLACK_APP_TOKEN
        ? { mode: 'socket', appToken: data.SLACK_APP_TOKEN }
        : { mode: 'http', signingSecret: data.SLACK_SIGNING_SECRET ?? '' },
      ...readOauth(data),
    },
    server: {
      port: data.PORT,
      ...readHost(data),
      ...(data.METRICS_PORT !== undefined && { metricsPort: data.METRICS_PORT }),
      ...(data.METRICS_TOKEN && { metricsToken: data.METRICS_TOKEN }),
    },
    ...(data.PUBLIC_URL && { publicUrl: data.PUBLIC_URL }),
    hosting: {
      baseUrl: data.HOSTING_API_URL,
      keyHeader: data.HOSTING_KEY_HEADER,
      pathOverrides: paths.data,
      vpsActions: data.HOSTING_VPS_ACTIONS,
      ...(data.HOSTING_PROFILE && { profile: data.HOSTING_PROFILE }),
    },
    ...(data.SLACK_BOT_TOKEN && {
      workspace: {
        botToken: data.SLACK_BOT_TOKEN,
        ...(data.HOSTING_API_KEY && { apiKey: data.HOSTING_API_KEY }),
      },
    }),
    ...(data.AUDIT_STREAM_FILE && { auditStreamFile: data.AUDIT_STREAM_FILE }),
    allowedWorkspaces: data.INSTALL_ALLOWED_WORKSPACES,
    ...(data.BACKUP_DIR && { backups: { dir: data.BACKUP_DIR, keep: keptBackups } }),
    otlpEndpoint: data.OTEL_EXPORTER_OTLP_ENDPOINT,
    encryptionKeys: data.ENCRYPTION_KEYS,
    databaseUrl: data.DATABASE_URL,
    quotaPersonShare: data.QUOTA_PERSON_SHARE / 100,
    auditRetentionDays: data.AUDIT_RETENTION_DAYS,
    uninstallGraceDays: data.UNINSTALL_GRACE_DAYS,
    stopGraceSeconds: data.STOP_GRACE_SECONDS,
    logLevel: data.LOG_LEVEL,
    warnings: listWarnings(data),
  };
}

/** Returns warnings about settings that are safe only in private networks. */
function listWarnings({ DATABASE_URL }: z.infer<typeof settingsSchema>): readonly string[] {
  const isPlainPostgres =
    /^postgres/.test(DATABASE_URL) &&
    !isLocalUrl(DATABASE_URL) &&
    !/[?&]sslmode=(require|verify)/.test(DATABASE_URL);
  return isPlainPostgres
    ? ['DATABASE_URL reaches PostgreSQL over a network without sslmode=verify-full']
    : [];
}

/**
 * Returns `HOST` if set. In Socket Mode, defaults to the loopback address, because only this machine needs
 * the server.
 */
function readHost({ HOST, SLACK_APP_TOKEN }: z.infer<typeof settingsSchema>): { readonly host?: string } {
  const host = HOST ?? (SLACK_APP_TOKEN ? '127.0.0.1' : undefined);
  return host === undefined ? {} : { host };
}

function readOauth({
  SLACK_CLIENT_ID: clientId,
  SLACK_CLIENT_SECRET: clientSecret,
  SLACK_STATE_SECRET: stateSecret,
  SLACK_TOKEN_ROTATION: rotation,
}: z.infer<typeof settingsSchema>): { readonly oauth?: SlackOauth } {
  if (!clientId || !clientSecret || !stateSecret) return {};
  return { oauth: { clientId, clientSecret, stateSecret, migratesTokens: rotation === 'on' } };
}

export function isDatabaseUrl(text: string): boolean {
  return databaseSettings.DATABASE_URL.safeParse(text).success;
}

/** Reads only the database settings. Throws the same errors as `readConfig`. */
export function readDatabaseConfig(
  env: Readonly<Record<string, string | undefined>>,
): Pick<AppSettings, 'encryptionKeys' | 'databaseUrl'> {
  const settings = nonEmptySettings(env);
  const parsed = z.object(databaseSettings).safeParse(settings);
  if (!parsed.success) throw settingsError(parsed.error.issues, settings);
  return { encryptionKeys: parsed.data.ENCRYPTION_KEYS, databaseUrl: parsed.data.DATABASE_URL };
}

/** Reads only the hosting service's settings. Throws the same errors as `readConfig`. */
export function readHostingConfig(env: Readonly<Record<string, string | undefined>>): {
  readonly settings: RequestSettings;
  readonly apiKey: string | undefined;
  readonly profile: readonly FieldMapping[] | undefined;
} {
  const settings = nonEmptySettings(env);
  const parsed = z.object(hostingSettings).safeParse(settings);
  const paths = pathOverridesSchema.safeParse(settings);
  if (!parsed.success || !paths.success) {
    throw settingsError([...(parsed.error?.issues ?? []), ...(paths.error?.issues ?? [])], settings);
  }
  const { HOSTING_API_URL: baseUrl, HOSTING_KEY_HEADER: keyHeader } = parsed.data;
  return {
    settings: { baseUrl, keyHeader, pathOverrides: paths.data },
    apiKey: parsed.data.HOSTING_API_KEY,
    profile: parsed.data.HOSTING_PROFILE,
  };
}

/** Returns the settings from the environment and secret files. Leaves out empty ones. */
function nonEmptySettings(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const { settings, problems } = readSecretFiles(env);
  if (problems.length > 0) throw createSettingsError(problems);
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
}

function settingsError(
  issues: readonly z.core.$ZodIssue[],
  settings: Readonly<Record<string, unknown>>,
): RackhandError {
  return createSettingsError(issues.map((issue) => describeIssue(issue, settings)));
}

function createSettingsError(problems: readonly string[]): RackhandError {
  const lines = ["Rackhand can't start with these settings:", ...new Set(problems)];
  return new RackhandError('setting_invalid', lines.join('\n  '));
}

function describeIssue(issue: z.core.$ZodIssue, settings: Readonly<Record<string, unknown>>): string {
  const name = String(issue.path[0]);
  return `${name} ${name in settings || issue.code === 'custom' ? issue.message : 'is missing'}`;
}
