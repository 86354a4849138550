import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RateLimiterOptions } from '../../../src/hosting/quota/rate-limiter.ts';
import { eventually } from '../../eventually.ts';
import type { LoggedCall } from './call-recorder.ts';
import type { ReplicaCommand, ReplicaLogEntry, ReplicaSettings } from './replica-process.ts';

/** How often other processes are polled. */
const pollMs = 20;

export interface Replica {
  send(command: ReplicaCommand): void;
  /** Continues the process, which freezes itself, with SIGCONT. */
  thaw(): void;
  /** Sends SIGKILL. Calls in flight have arrived by now or never will. */
  kill(): Promise<void>;
  /** Closes the quota and waits until the process has exited. */
  close(): Promise<void>;
}

/** Creates a fleet of replica processes that write to the same log. */
export function createReplicaFleet(options: Omit<RateLimiterOptions, 'table'>, databaseUrl: string) {
  const directory = mkdtempSync(join(tmpdir(), 'rackhand-quota-'));
  const logFile = join(directory, 'log');
  writeFileSync(logFile, '');
  const children = new Map<string, ChildProcess>();
  const killedAtMs = new Map<string, number>();

  function readLog(): ReplicaLogEntry[] {
    return readFileSync(logFile, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }

  return {
    lines: readLog,

    /**
     * Returns the sent calls of a key. Calls of a killed process count as answered when it ended. A call can
     * arrive until it times out. A process that gets no CPU logs its answer later than that, although
     * its bytes left long before.
     */
    calls(fingerprint: string): LoggedCall[] {
      const calls = new Map<string, LoggedCall>();
      const { callTimeoutMs } = options;
      for (const { call: name, event, atMs } of readLog()) {
        const [replica = '', key] = name.split(' ');
        if (key !== fingerprint) continue;
        const endMs = killedAtMs.get(replica) ?? Date.now();
        if (event === 'sent') calls.set(name, { name, sentAtMs: atMs, answeredAtMs: endMs });
        const call = calls.get(name);
        if (event === 'answered' && call) call.answeredAtMs = atMs;
      }
      return [...calls.values()].map(({ name, sentAtMs, answeredAtMs }) => ({
        ...{ name, sentAtMs },
        answeredAtMs: Math.min(answeredAtMs, sentAtMs + callTimeoutMs),
      }));
    },

    async start(name: string, aheadMs = 0): Promise<Replica> {
      const settings: ReplicaSettings = { name, options, databaseUrl, logFile, aheadMs };
      const child = fork(new URL('./replica-process.ts', import.meta.url), [JSON.stringify(settings)]);
      children.set(name, child);
      await once(child, 'message');
      return {
        send: (command) => void child.send(command),
        thaw: () => void child.kill('SIGCONT'),
        async kill() {
          child.kill('SIGKILL');
          await once(child, 'exit');
          killedAtMs.set(name, Date.now());
        },
        async close() {
          const ended = once(child, 'exit');
          child.send({ kind: 'close' } satisfies ReplicaCommand);
          await ended;
        },
      };
    },

    /** Waits until the condition is true. Throws after `timeoutMs`. */
    until: (condition: () => boolean, timeoutMs: number, intervalMs = pollMs) =>
      eventually(
        () => {
          if (!condition()) throw new Error(`the condition is still false after ${timeoutMs} ms`);
        },
        { timeoutMs, intervalMs },
      ),

    async end() {
      for (const child of children.values()) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
