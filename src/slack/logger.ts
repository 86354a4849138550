import { LogLevel, type Logger as SlackLogger } from '@slack/bolt';
import type { Logger } from 'pino';

/**
 * Lets Slack's libraries log into ours. Their debug lines hold whole payloads, with tokens and response URLs in the text where nothing can take
 * them out, so those are dropped; what they tell for information is of the level `debug` here.
 */
export function createSlackLogger(log: Logger): SlackLogger {
  const say =
    (level: 'debug' | 'warn' | 'error') =>
    (...words: unknown[]) => {
      const [first, ...rest] = words;
      const error = words.find((word) => word instanceof Error);
      log[level](
        { ...(error && { err: error }) },
        [first, ...rest].filter((word) => typeof word === 'string').join(' '),
      );
    };
  return {
    debug: () => undefined,
    info: say('debug'),
    warn: say('warn'),
    error: say('error'),
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  };
}
