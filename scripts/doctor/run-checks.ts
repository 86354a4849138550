import { type Config, readConfig } from '../../src/config.ts';
import { RackhandError } from '../../src/errors.ts';
import { checkClock } from './check-clock.ts';
import { checkDatabase } from './check-database.ts';
import { checkDisk, checkFileModes } from './check-files.ts';
import { checkFonts } from './check-fonts.ts';
import { checkHostingKey } from './check-hosting-key.ts';
import type { CheckLine } from './check-line.ts';
import { checkServiceProfile } from './check-service-profile.ts';
import { checkSigningSecret } from './check-signing-secret.ts';
import { checkSlack } from './check-slack.ts';

/** Runs all checks. If a setting is invalid, only the settings are checked. */
export async function* runChecks(
  env: Readonly<Record<string, string | undefined>>,
): AsyncGenerator<CheckLine> {
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!(error instanceof RackhandError)) throw error;
    // The first line of the message introduces the problems, which follow one per line.
    for (const problem of error.message.split('\n').slice(1)) {
      yield { check: 'settings', status: 'error', message: problem.trim() };
    }
    return;
  }
  for (const message of config.warnings) yield { check: 'settings', status: 'warning', message };
  yield { check: 'settings', status: 'OK', message: 'All settings are valid.' };
  yield* checkSlack(config);
  yield* checkSigningSecret(config);
  const key = await checkHostingKey(config);
  yield key;
  if (key.status === 'OK') yield* checkServiceProfile(config);
  yield* checkDatabase(config.databaseUrl);
  yield* checkClock(config);
  yield checkFonts();
  yield* checkDisk(config);
  yield* checkFileModes(config, env);
}
