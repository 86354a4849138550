import { type SQLInputValue, StatementSync } from 'node:sqlite';
import type { CrashPoint } from './crash-process.ts';

// Loaded into the real process before it starts. It changes nothing of what the process does, but for how late it is: it ends the process, as
// SIGKILL ends one, at the statement that it is told of.

const aheadMs = Number(process.env.CRASH_AHEAD_MS ?? 0);
const now = Date.now;
Date.now = () => now() + aheadMs;

const points: CrashPoint[] = [];
process.on('message', (point: CrashPoint) => {
  points.push(point);
  process.send?.('armed');
});
process.channel?.unref();

function dieAt(when: CrashPoint['when'], sql: string, [first]: readonly unknown[]): void {
  const isReached = points.some(
    (point) => point.when === when && sql.startsWith(point.sql) && (point.first ?? first) === first,
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
