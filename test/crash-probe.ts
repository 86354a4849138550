import { type SQLInputValue, StatementSync } from 'node:sqlite';
import pg from 'pg';
import type { CrashPoint } from './crash-process.ts';

// Loaded into the real process before it starts. It changes nothing of what the process does, but for how late it is: it ends the process, as
// SIGKILL ends one, at the statement that it is told of.

const aheadMs = Number(process.env.CRASH_AHEAD_MS ?? 0);
const now = Date.now;
Date.now = () => now() + aheadMs;

const points: CrashPoint[] = JSON.parse(process.env.CRASH_AT ?? '[]');
process.on('message', (point: CrashPoint) => {
  points.push(point);
  process.send?.('armed');
});
process.channel?.unref();

function dieAt(when: CrashPoint['when'], sql: string, values: readonly unknown[]): void {
  const isReached = points.some(
    (point) =>
      point.when === when &&
      sql.startsWith(point.sql) &&
      (point.first === undefined || point.first === values[0]) &&
      (point.about === undefined || values.includes(point.about)),
  );
  if (isReached) process.kill(process.pid, 'SIGKILL');
}

for (const method of ['run', 'all'] as const) {
  const original = StatementSync.prototype[method];
  Object.defineProperty(StatementSync.prototype, method, {
    value(this: StatementSync, ...values: SQLInputValue[]): unknown {
      dieAt('before', this.sourceSQL, values);
      const result: unknown = Reflect.apply(original, this, values);
      dieAt('after', this.sourceSQL, values);
      return result;
    },
  });
}

const query = pg.Client.prototype.query;
Object.defineProperty(pg.Client.prototype, 'query', {
  value(this: pg.Client, sql: unknown, values: unknown, ...more: unknown[]): unknown {
    const point = [String(sql), Array.isArray(values) ? values : []] as const;
    dieAt('before', ...point);
    const result: unknown = Reflect.apply(query, this, [sql, values, ...more]);
    if (!(result instanceof Promise)) return result;
    return result.then((answer: unknown) => {
      dieAt('after', ...point);
      return answer;
    });
  },
});
