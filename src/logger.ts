import pino, { type DestinationStream, type Logger, type LoggerOptions as PinoOptions } from 'pino';
import type { LogLevel } from './config.ts';
import { RackhandError } from './errors.ts';

type LoggerHooks = NonNullable<PinoOptions['hooks']>;

interface LoggerOptions {
  /** Defaults to standard output. */
  readonly destination?: DestinationStream;
  readonly now?: () => number;
}

/** Fields to redact, at each depth at which libraries nest them. */
const redactedFields = [
  'token',
  'botToken',
  'refreshToken',
  'apiKey',
  'authorization',
  'password',
  'secret',
  'response_url',
  'responseUrl',
  'trigger_id',
];

/** Minimum interval between log lines about a database outage. */
const outageIntervalMs = 60_000;

/** Logs JSON lines to standard output, with secrets redacted. */
export function createLogger(level: LogLevel, options: LoggerOptions = {}): Logger {
  return pino(
    {
      level,
      base: null,
      hooks: { logMethod: createOutageFilter(options.now) },
      serializers: { error: pino.stdSerializers.err },
      redact: redactedFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`, `*.*.*.${field}`]),
    },
    options.destination,
  );
}

/**
 * Returns a hook that logs a database outage once a minute, with the number of failures and without stacks.
 * During an outage, everything that needs the database fails for the same reason.
 */
function createOutageFilter(now: () => number = Date.now): NonNullable<LoggerHooks['logMethod']> {
  let [loggedMs, failures] = [Number.NEGATIVE_INFINITY, 0];
  return function logMethod(parameters, method) {
    const [details] = parameters as readonly unknown[];
    const error = details instanceof Object && 'err' in details ? details.err : undefined;
    if (!(error instanceof RackhandError) || error.code !== 'database_unreachable') {
      return method.apply(this, parameters);
    }
    failures += 1;
    if (now() - loggedMs < outageIntervalMs) return;
    const reason = error.cause instanceof Error ? error.cause.message : undefined;
    this.error({ failures, reason }, 'the database cannot be reached; failures since the last such line');
    [loggedMs, failures] = [now(), 0];
  };
}
