import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { childEnvironment } from '../child-environment.ts';
import { buildProgram } from './build-program.ts';

/**
 * Kills the process before or after a statement, or freezes it once. The statement is identified by its beginning
 * and its first value.
 */
export interface CrashPoint {
  readonly when: 'before' | 'after';
  readonly sql: string;
  readonly firstValue: string;
  /** If given, the process writes this to stderr and is frozen, instead of killed. */
  readonly textBeforeFreeze?: string;
}

/** Statements at which the process is killed. */
export const crashPoints = {
  queued: { when: 'after', sql: 'update "run" set "status"', firstValue: 'queued' },
  sent: { when: 'after', sql: 'update "run" set "status"', firstValue: 'sent' },
} as const satisfies Record<string, CrashPoint>;

export type CrashableApp = Awaited<ReturnType<typeof startCrashableApp>>;

const textBeforeFreeze = 'the process is frozen now';

const probePath = fileURLToPath(new URL('./crash-probe.ts', import.meta.url));

/** Returns the settings of an app between both sandboxes, as environment variables. */
export function createSandboxSettings({
  slackUrl,
  hostingUrl,
  databaseUrl,
  apiKey = 'sandbox-key-full',
}: {
  readonly slackUrl: string;
  readonly hostingUrl: string;
  readonly databaseUrl: string;
  readonly apiKey?: string;
}) {
  return {
    SLACK_BOT_TOKEN: 'xoxb-sandbox-acme',
    SLACK_APP_TOKEN: 'xapp-sandbox',
    SLACK_API_URL: `${slackUrl}/api/`,
    HOSTING_API_URL: hostingUrl,
    HOSTING_API_KEY: apiKey,
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    DATABASE_URL: databaseUrl,
    PORT: '0',
  };
}

/** Starts the app as `npm start` does, in a child process that can be killed at any SQL statement. */
export async function startCrashableApp(env: Readonly<Record<string, string>>, program?: string) {
  const child = fork(program ?? (await buildProgram()), {
    env: { ...childEnvironment, ...env },
    execArgv: ['--import', probePath],
    silent: true,
  });
  const gone = once(child, 'exit');
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  async function setCrashPoint(point: CrashPoint): Promise<void> {
    const armed = once(child, 'message');
    child.send(point);
    await armed;
  }
  await waitUntilReady(child);

  return {
    /** Resolves when the process has ended. */
    gone,
    hasEnded,
    /** Stops the process with a signal. Resolves to the time that took in ms. */
    async stop(): Promise<number> {
      const startedMs = performance.now();
      child.kill('SIGTERM');
      await gone;
      return performance.now() - startedMs;
    },
    /** Resolves when the process has crashed at the given point. */
    async diesAt(point: CrashPoint, act: () => Promise<unknown>): Promise<void> {
      await setCrashPoint(point);
      // A process that crashes immediately acknowledges nothing.
      void act().catch(() => undefined);
      await expect.poll(hasEnded).toBe(true);
    },
    /** Resolves when the process was frozen at the given point. */
    async freezesAt(point: CrashPoint, act: () => Promise<unknown>): Promise<void> {
      await setCrashPoint({ ...point, textBeforeFreeze });
      let written = '';
      const listen = (chunk: unknown) => {
        written += String(chunk);
      };
      child.stderr?.on('data', listen);
      await act();
      await expect.poll(() => written).toContain(textBeforeFreeze);
      child.stderr?.off('data', listen);
    },
    /** Lets a frozen process go on. */
    thaw: () => void child.kill('SIGCONT'),
    /** Kills the process if it is still running. */
    async kill(): Promise<void> {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function waitUntilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        said += chunk;
        if (said.includes('Rackhand is ready')) resolve();
      });
    }
    child.once('exit', () => reject(new Error(`the process ended before it was ready: ${said}`)));
  });
}
