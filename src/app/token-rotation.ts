import type { Logger } from 'pino';
import type { AppSettings } from '../config.ts';
import { createSlackLogger } from '../slack/client/slack-logger.ts';
import { createTokenIssuer } from '../slack/oauth/token-issuer.ts';
import { createTokenRotation } from '../workspaces/token-rotation.ts';
import type { Infrastructure } from './infrastructure.ts';

/** Defines the job that renews tokens, if the app is installed by OAuth. */
export function defineTokenRotation(
  { jobs, installations }: Pick<Infrastructure, 'jobs' | 'installations'>,
  { oauth, apiUrl }: AppSettings['slack'],
  log: Logger,
): void {
  if (!oauth) return;
  jobs.definePeriodic(
    createTokenRotation({
      installations,
      issuer: createTokenIssuer(oauth, { apiUrl, logger: createSlackLogger(log) }),
      migratesTokens: oauth.migratesTokens === true,
      log,
    }),
  );
}
