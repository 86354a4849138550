import pino, { type Logger } from 'pino';
import type { LogLevel } from './config.ts';

/** Fields that never reach a log, at any of the depths in which libraries nest them. */
const secretFields = [
  'token',
  'botToken',
  'apiKey',
  'authorization',
  'password',
  'secret',
  'response_url',
  'responseUrl',
  'trigger_id',
];

/** Creates the log: JSON lines on standard output, secrets taken out. */
export function createLog(level: LogLevel): Logger {
  return pino({
    level,
    base: null,
    serializers: { error: pino.stdSerializers.err },
    redact: secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`, `*.*.*.${field}`]),
  });
}
