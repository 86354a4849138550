import { type Config, readConfig } from '../../src/config.ts';
import { RackhandError } from '../../src/errors.ts';
import { checkClock } from './check-clock.ts';
import { checkDatabase } from './check-database.ts';
import { checkDisk, checkFileModes } from './check-files.ts';
import { checkFonts } from './check-fonts.ts';
import { type CheckLine, createLines } from './check-line.ts';
import { checkHostingKey, checkServiceProfile } from './check-service.ts';
import { checkSigningSecret } from './check-signing-secret.ts';
import { checkSlack } from './check-slack.ts';

/** Runs all checks. If a setting is invalid, only the settings are checked. */
export async function* runChecks(
  env: Readonly<Record<string, string | undefined>>,
): AsyncGenerator<CheckLine> {
  const { ok, warning, error } = createLines('settings');
  let config: Config;
  try {
    config = readConfig(env);
  } catch (failure) {
    if (!(failure instanceof RackhandError)) throw failure;
    // The first line of the message introduces the problems, which follow one per line.
    for (const problem of failure.message.split('\n').slice(1)) {
      yield error(problem.trim());
    }
    return;
  }
  for (const message of config.warnings) yield warning(message);
  yield ok('All settings are valid.');
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
