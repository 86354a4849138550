import type { Logger } from 'pino';
import { afterEach, beforeEach, expect } from 'vitest';
import { z } from 'zod';
import { createHostingClient, type HostingClient } from '../../../src/hosting/client.ts';
import { createQuota, type Quota } from '../../../src/hosting/quota/quota.ts';
import { createTransport, type Transport } from '../../../src/hosting/transport.ts';
import { allOperations } from '../../../src/operations/all.ts';
import { type Catalogue, createCatalogue } from '../../../src/operations/catalogue.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import type { RawInput } from '../../../src/operations/outcome.ts';
import { createFollowingStore } from '../../../src/operations/runs/following-store.ts';
import type { Run } from '../../../src/operations/runs/run.ts';
import { createRunStore, type RunStore } from '../../../src/operations/runs/run-store.ts';
import { createRunner, type Runner, type RunnerParts } from '../../../src/operations/runs/runner.ts';
import { createHostingSandbox, type HostingSandbox } from '../../../src/sandbox/hosting/sandbox.ts';
import { type OpenDatabase, openDatabase } from '../../../src/storage/database.ts';
import { createVault } from '../../../src/storage/vault.ts';
import { createShownOnce } from '../../../src/workspaces/shown-once.ts';
import { eventually } from '../../eventually.ts';

const callLog = z.object({ calls: z.array(z.object({ method: z.string(), path: z.string() })) });

export const asker = { teamId: 'T1', userId: 'U1' };
export const minuteMs = 60_000;

/** What the tests of the runner work with: the service's sandbox, a database of their own, and runners on both. */
export interface Runners {
  nowMs: number;
  /** What the runs were announced as, in order. */
  announced: Run[];
  readonly runs: RunStore;
  readonly database: OpenDatabase;
  readonly client: HostingClient;
  readonly serviceUrl: string;
  /** Starts a runner: without rules for approval, everything allowed. Whatever it logs as an error fails the test, unless there is another log. */
  create(over?: Partial<RunnerParts>): Runner;
  request(runner: Runner, name: string, raw: RawInput, requestKey?: string): ReturnType<Runner['request']>;
  /** Asks for something that must be confirmed, and gives the token of its card. */
  tokenOf(runner: Runner, name: string, raw: RawInput): Promise<string>;
  settled(runId: string): Promise<Run>;
  /** A catalogue with further operations. */
  withOperations(...operations: readonly Operation[]): Catalogue;
  /** What the service was called, as method and path. */
  calls(): Promise<readonly string[]>;
  /** The calls that were to change something. */
  changes(): Promise<readonly string[]>;
}

/** The run that a confirmation's token names. */
export function runIdOf(token: string): string {
  return token.split('.')[0] ?? '';
}

/** Sets up, for every test of a file, what runners work with. */
export function useRunners(): Runners {
  let sandbox: HostingSandbox;
  let quota: Quota;
  let transport: Transport;
  let database: OpenDatabase;
  let client: HostingClient;
  let runs: RunStore;
  let requests = 0;
  let catalogue = allOperations();

  beforeEach(async () => {
    bench.nowMs = Date.now();
    bench.announced = [];
    catalogue = allOperations();
    sandbox = await createHostingSandbox({ port: 0 });
    database = await openDatabase('sqlite::memory:');
    quota = await createQuota({ callTimeoutMs: 5_000 });
    transport = createTransport();
    client = createHostingClient(
      { baseUrl: sandbox.url, keyHeader: 'authorization', openPaths: {} },
      { apiKey: 'sandbox-key-full', fingerprint: 'k', limit: 50 },
      { transport, quota },
    );
    runs = createRunStore(database.db);
  });

  afterEach(async () => {
    await quota.close();
    await transport.close();
    await database.close();
    await sandbox.close();
  });

  const log: Pick<Logger, 'info' | 'error'> = {
    info: () => undefined,
    error: (...words: unknown[]) => expect.unreachable(JSON.stringify(words)),
  };

  const bench: Runners = {
    nowMs: 0,
    announced: [],
    get runs() {
      return runs;
    },
    get database() {
      return database;
    },
    get client() {
      return client;
    },
    get serviceUrl() {
      return sandbox.url;
    },
    create: (over = {}) =>
      createRunner({
        runs,
        followed: createFollowingStore(database.db),
        secrets: createShownOnce(database.db, createVault([new Uint8Array(32)]), () => bench.nowMs),
        access: async () => () => undefined,
        approvalRules: async () => undefined,
        approvalDesk: { post: async () => [], refresh: async () => undefined, close: async () => undefined },
        timeZoneOf: async () => 'UTC',
        catalogue,
        hostingFor: () => client,
        announce: (run) => void bench.announced.push(run),
        shared: false,
        log,
        now: () => bench.nowMs,
        ...over,
      }),
    request(runner, name, raw, requestKey) {
      const operation = catalogue.find(name);
      if (!operation) throw new Error(`no operation ${name}`);
      requests += 1;
      const key = requestKey ?? `request-${requests}`;
      return runner.request({ requestKey: key, operation, raw, asker, origin: { channel: 'C1' } });
    },
    async tokenOf(runner, name, raw) {
      const answer = await bench.request(runner, name, raw);
      if (answer.kind !== 'confirmation') throw new Error(`asked nothing, but ${JSON.stringify(answer)}`);
      return answer.confirmation.token;
    },
    settled: (runId) =>
      eventually(async () => {
        const run = await runs.find(runId);
        if (!run?.settledMs) throw new Error(`the run is ${run?.status}`);
        return run;
      }),
    withOperations(...operations) {
      catalogue = createCatalogue([...allOperations().groups, { heading: 'Test', operations }]);
      return catalogue;
    },
    async calls() {
      const answer = await fetch(`${sandbox.url}/sandbox/calls`);
      const { calls } = callLog.parse(await answer.json());
      return calls.map(({ method, path }) => `${method} ${path}`);
    },
    changes: async () => (await bench.calls()).filter((call) => !call.startsWith('GET ')),
  };
  return bench;
}
