import pino, { type Logger } from 'pino';
import type { LogLevel } from './config.ts';

/** Fields to redact, listed at each depth at which libraries nest them. */
const redactedFields = [
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

/** Logs JSON lines to standard output, with secrets redacted. */
export function createLogger(level: LogLevel): Logger {
  return pino({
    level,
    base: null,
    serializers: { error: pino.stdSerializers.err },
    redact: redactedFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`, `*.*.*.${field}`]),
  });
}
