import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QuotaOptions } from '../../src/hosting/quota/quota.ts';
import type { LoggedCall } from './quota-calls.ts';
import type { LogLine, Order, ReplicaSettings } from './quota-replica.ts';

/** Ends one tick of a wait for something that another process does. */
const pollMs = 20;

export interface Replica {
  tell(order: Order): void;
  /** SIGSTOP and SIGCONT. */
  freeze(): void;
  thaw(): void;
  /** SIGKILL; its calls under way have arrived by then, or never will. */
  kill(): Promise<void>;
  /** Closes its quota; resolves when the process has ended by itself. */
  close(): Promise<void>;
}

/** Starts replicas as processes of their own, which log what they do in one file. */
export function createFleet(options: QuotaOptions) {
  const directory = mkdtempSync(join(tmpdir(), 'rackhand-quota-'));
  const logFile = join(directory, 'log');
  writeFileSync(logFile, '');
  const children = new Map<string, ChildProcess>();
  const killedAtMs = new Map<string, number>();

  function lines(): LogLine[] {
    return readFileSync(logFile, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }

  return {
    lines,

    /** The calls that have left, those of a killed process answered at its end at the latest. */
    calls(): LoggedCall[] {
      const calls = new Map<string, LoggedCall>();
      for (const { call: name, event, atMs } of lines()) {
        const replica = name.split(' ')[0] ?? '';
        const endMs = killedAtMs.get(replica) ?? Date.now();
        if (event === 'left') calls.set(name, { name, leftAtMs: atMs, answeredAtMs: endMs });
        const call = calls.get(name);
        if (event === 'answered' && call) call.answeredAtMs = atMs;
      }
      return [...calls.values()];
    },

    async start(name: string, aheadMs = 0): Promise<Replica> {
      const settings: ReplicaSettings = { name, options, logFile, aheadMs };
      const child = fork(new URL('./quota-replica.ts', import.meta.url), [JSON.stringify(settings)]);
      children.set(name, child);
      await once(child, 'message');
      return {
        tell: (order) => void child.send(order),
        freeze: () => void child.kill('SIGSTOP'),
        thaw: () => void child.kill('SIGCONT'),
        async kill() {
          child.kill('SIGKILL');
          await once(child, 'exit');
          killedAtMs.set(name, Date.now());
        },
        async close() {
          const ended = once(child, 'exit');
          child.send({ do: 'close' } satisfies Order);
          await ended;
        },
      };
    },

    /** Waits until the condition holds; throws after `atMostMs`. */
    async until(condition: () => boolean, atMostMs: number, everyMs = pollMs): Promise<void> {
      const endMs = Date.now() + atMostMs;
      while (!condition()) {
        if (Date.now() > endMs) throw new Error(`still not so after ${atMostMs} ms`);
        await new Promise((resolve) => setTimeout(resolve, everyMs));
      }
    },

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
