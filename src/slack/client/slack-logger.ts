import { LogLevel, type Logger as SlackLogger } from '@slack/bolt';
import type { Logger } from 'pino';

/**
 * Adapts our logger for Slack's libraries. Drops debug lines, which contain whole payloads as text, where redaction
 * can't find tokens and response URLs. Logs info lines as `debug`.
 */
export function createSlackLogger(log: Logger): SlackLogger {
  const logAt =
    (level: 'debug' | 'warn' | 'error') =>
    (...parts: unknown[]) => {
      const error = parts.find((part) => part instanceof Error);
      log[level](
        { ...(error && { err: error }) },
        parts.filter((part) => typeof part === 'string').join(' '),
      );
    };
  return {
    debug: () => undefined,
    info: logAt('debug'),
    warn: logAt('warn'),
    error: logAt('error'),
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  };
}
