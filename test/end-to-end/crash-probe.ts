import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { type SQLInputValue, StatementSync } from 'node:sqlite';
import pg from 'pg';
import type { CrashPoint } from './crash-process.ts';

// Loaded into the app's process before the app. Sets its clock ahead, and kills or freezes it at a
// given SQL statement.

const clockOffsetMs = Number(process.env.CRASH_AHEAD_MS ?? 0);
const now = Date.now;
Date.now = () => now() + clockOffsetMs;

const crashPoints: CrashPoint[] = [];
process.on('message', (point: CrashPoint) => {
  crashPoints.push(point);
  process.send?.('armed');
});
process.channel?.unref();

/** The connections in a transaction, with the point after whose statement it is committed, if it was reached. */
const transactions = new Map<unknown, CrashPoint | undefined>();

function killAt(
  when: CrashPoint['when'],
  connection: unknown,
  sql: string,
  values: readonly unknown[],
): void {
  if (when === 'after' && /^(commit|rollback)/i.test(sql)) {
    const reached = transactions.get(connection);
    transactions.delete(connection);
    if (reached && /^commit/i.test(sql)) die(reached);
    return;
  }
  if (when === 'before' && /^begin/i.test(sql)) transactions.set(connection, undefined);
  const reached = crashPoints.find(
    (point) => point.when === when && sql.startsWith(point.sql) && point.firstValue === values[0],
  );
  if (!reached) return;
  // A statement in a transaction has its effect once that is committed.
  if (when === 'after' && transactions.has(connection)) transactions.set(connection, reached);
  else die(reached);
}

function die(reached: CrashPoint): void {
  if (reached.textBeforeFreeze !== undefined) {
    crashPoints.splice(crashPoints.indexOf(reached), 1);
    writeSync(process.stderr.fd, reached.textBeforeFreeze);
    process.kill(process.pid, 'SIGSTOP');
    return;
  }
  // Lets the next process start faster. A killed process doesn't write the cache by itself.
  flushCompileCache();
  process.kill(process.pid, 'SIGKILL');
}

for (const method of ['run', 'all'] as const) {
  const original = StatementSync.prototype[method];
  Object.defineProperty(StatementSync.prototype, method, {
    value(this: StatementSync, ...values: SQLInputValue[]): unknown {
      killAt('before', 'sqlite', this.sourceSQL, values);
      const result: unknown = Reflect.apply(original, this, values);
      killAt('after', 'sqlite', this.sourceSQL, values);
      return result;
    },
  });
}

const query = pg.Client.prototype.query;
Object.defineProperty(pg.Client.prototype, 'query', {
  value(this: pg.Client, sql: unknown, values: unknown, ...more: unknown[]): unknown {
    const point = [this, String(sql), Array.isArray(values) ? values : []] as const;
    killAt('before', ...point);
    const result: unknown = Reflect.apply(query, this, [sql, values, ...more]);
    if (!(result instanceof Promise)) return result;
    return result.then((answer: unknown) => {
      killAt('after', ...point);
      return answer;
    });
  },
});
