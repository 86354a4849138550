import { readFileSync } from 'node:fs';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Settings that can be read from a file, such as a secret mounted into a container. The path of the file
 * is in `NAME_FILE`, such as `ENCRYPTION_KEYS_FILE`.
 */
export const secretSettings = [
  'SLACK_BOT_TOKEN',
  'SLACK_APP_TOKEN',
  'SLACK_SIGNING_SECRET',
  'SLACK_CLIENT_SECRET',
  'SLACK_STATE_SECRET',
  'HOSTING_API_KEY',
  'ENCRYPTION_KEYS',
  'DATABASE_URL',
  'METRICS_TOKEN',
] as const;

/** Returns the environment with the contents of the secret files filled in, and any problems with these files. */
export function readSecretFiles(env: Environment): {
  readonly settings: Readonly<Record<string, string | undefined>>;
  readonly problems: readonly string[];
} {
  const settings: Record<string, string | undefined> = { ...env };
  const problems: string[] = [];
  for (const name of secretSettings) {
    const fileSetting = `${name}_FILE`;
    const path = env[fileSetting]?.trim();
    if (!path) continue;
    if (env[name]?.trim()) {
      problems.push(`${fileSetting} can't be set together with ${name}`);
      continue;
    }
    try {
      settings[name] = readFileSync(path, 'utf8').trim();
      if (settings[name] === '') problems.push(`${fileSetting} names ${path}, which is empty`);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason given';
      problems.push(`${fileSetting} names ${path}, which can't be read (${code})`);
    }
  }
  return { settings, problems };
}
