import type { Logger } from 'pino';
import { afterEach, beforeEach, expect } from 'vitest';
import { z } from 'zod';
import type { AskRules } from '../../src/asks/ask.ts';
import { createCloseAsk } from '../../src/asks/ask-messages.ts';
import { toAskToken } from '../../src/asks/ask-token.ts';
import { type Asks, createAsks } from '../../src/asks/asks.ts';
import { type OpenDatabase, openDatabase } from '../../src/db/engines/database.ts';
import { createHostingClient, type HostingClient } from '../../src/hosting/client/hosting-client.ts';
import { createTransport, type Transport } from '../../src/hosting/client/transport.ts';
import { createRateLimiter, type RateLimiter } from '../../src/hosting/quota/rate-limiter.ts';
import { createSystemClock } from '../../src/jobs/clock.ts';
import { createLocalDatabaseClock } from '../../src/jobs/database-clock.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import type { ResolveAccess } from '../../src/operations/define/access/access.ts';
import { parseInput } from '../../src/operations/define/arguments/input.ts';
import type { RawInput } from '../../src/operations/define/arguments/raw-input.ts';
import { createCatalogue } from '../../src/operations/define/catalogue.ts';
import type { Catalogue, Operation } from '../../src/operations/define/operation.ts';
import { hostingOperations } from '../../src/operations/hosting-operations.ts';
import type { Run } from '../../src/runs/run.ts';
import { createRunMessages } from '../../src/runs/run-messages.ts';
import { createRunner, type Runner, type RunnerDependencies } from '../../src/runs/runner.ts';
import { createOneTimeSecretStore } from '../../src/runs/secrets/one-time-secret-store.ts';
import { createRunStore, type RunStore } from '../../src/runs/store/run-store.ts';
import { createHostingSandbox, type HostingSandbox } from '../../src/sandbox/hosting/sandbox.ts';
import { createUnsentAsks } from '../asks/unsent-asks.ts';
import { eventually } from '../eventually.ts';
import { collectShown } from './collect-shown.ts';
import { createRun } from './create-run.ts';
import { testVault } from './test-vault.ts';

const callLog = z.object({ calls: z.array(z.object({ method: z.string(), path: z.string() })) });

export const actor = { teamId: 'T1', userId: 'U1' };
export const minuteMs = 60_000;

/** Creates runners that use a hosting sandbox and a database of their own. */
export interface RunnerFixture {
  nowMs: number;
  /** The runs that people were shown, in order. */
  announced: Run[];
  readonly runs: RunStore;
  readonly database: OpenDatabase;
  readonly client: HostingClient;
  readonly serviceUrl: string;
  /**
   * Creates a runner that allows everything without approval, and its requests for approval. By default, a logged error fails the
   * test.
   */
  createRunner(overrides?: Partial<RunnerDependencies>): Runner & { readonly asks: Asks };
  /** Returns the value of the buttons on the newest approval card. */
  askToken(): Promise<string>;
  request(runner: Runner, name: string, raw: RawInput, requestKey?: string): ReturnType<Runner['request']>;
  /** Requests a change and returns the token of its confirmation. */
  requestConfirmation(runner: Runner, name: string, raw: RawInput): Promise<string>;
  /** Inserts the run `left`, which an ended process or another replica has left behind. */
  insertRun(status: Run['status'], overrides?: Partial<Run>): Promise<void>;
  waitUntilSettled(runId: string): Promise<Run>;
  /** Adds operations to the catalogue. */
  withOperations(...operations: readonly Operation[]): Catalogue;
  /** Returns the calls to the service, as method and path. */
  calls(): Promise<readonly string[]>;
  /** Returns the calls other than GET. */
  changingCalls(): Promise<readonly string[]>;
}

const noRules: AskRules = {
  operation: 'access grant',
  needsAskersAccess: false,
  carryOut: async () => undefined,
};
const listGroupMembers = async () => ({ kind: 'unknown' }) as const;

export function parseRunId(token: string): string {
  return token.split('.')[0] ?? '';
}

/** Registers a fixture that is created for each test. */
export function useRunnerFixture(): RunnerFixture {
  let sandbox: HostingSandbox;
  let limiter: RateLimiter;
  let transport: Transport;
  let database: OpenDatabase;
  let client: HostingClient;
  let runs: RunStore;
  let requests = 0;
  let runners: Runner[] = [];
  let catalogue = hostingOperations();

  beforeEach(async () => {
    fixture.nowMs = Date.now();
    fixture.announced = [];
    catalogue = hostingOperations();
    sandbox = await createHostingSandbox({ port: 0 });
    database = await openDatabase('sqlite::memory:');
    limiter = await createRateLimiter({ callTimeoutMs: 5_000 });
    transport = createTransport();
    client = createHostingClient(
      { baseUrl: sandbox.url, keyHeader: 'authorization', pathOverrides: {} },
      { apiKey: 'sandbox-key-full', fingerprint: 'k', limit: 50 },
      { transport, rateLimiter: limiter },
    );
    const { outbox, store } = createUnsentAsks(database.db, { listGroupMembers }, () => fixture.nowMs);
    const messages = createRunMessages(outbox, {
      closeAsk: createCloseAsk(store, outbox, () => fixture.nowMs),
    });
    const shown = collectShown((run) => fixture.announced.push(run));
    runs = createRunStore(database.db, testVault, {
      ...shown,
      async show(run, transaction) {
        await shown.show(run, transaction);
        await messages.show(run, transaction);
      },
    });
  });

  afterEach(async () => {
    await limiter.close();
    await transport.close();
    await Promise.all(runners.map((runner) => runner.stop()));
    runners = [];
    await database.close();
    await sandbox.close();
  });

  const log: Pick<Logger, 'info' | 'error'> = {
    info: () => undefined,
    error: (...words: unknown[]) => expect.unreachable(JSON.stringify(words)),
  };

  const fixture: RunnerFixture = {
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
    async askToken() {
      const { id, subject } = await database.db
        .selectFrom('ask')
        .select(['id', 'subject'])
        .orderBy('asked_at', 'desc')
        .executeTakeFirstOrThrow();
      return toAskToken({ id, subject });
    },
    createRunner(overrides = {}) {
      const allow: ResolveAccess = async () => () => undefined;
      const asks = createAsks({
        ...createUnsentAsks(database.db, { listGroupMembers }, () => fixture.nowMs),
        findPeopleWith: async () => ({ people: ['U2', 'U3'], isComplete: true }),
        resolveAccess: overrides.resolveAccess ?? allow,
        runs,
        runner: () => runner,
        kinds: {
          access: noRules,
          drop_rule: noRules,
          revoke_admin: noRules,
          reveal: noRules,
          schedule: noRules,
        },
        now: () => fixture.nowMs,
        log,
      });
      const runner: Runner = createRunner({
        runs,
        secrets: createOneTimeSecretStore(database.db, testVault, () => fixture.nowMs),
        resolveAccess: async () => () => undefined,
        findApprovalRoute: async () => undefined,
        approvals: asks,
        findTimeZone: async () => 'UTC',
        listVpsAliases: async () => new Map(),
        catalogue,
        hostingClientFor: () => client,
        jobs: createJobs({
          db: database.db,
          databaseClock: createLocalDatabaseClock({ ...createSystemClock(), now: () => fixture.nowMs }),
          hasReplicas: false,
          log: { warn: () => undefined, error: log.error },
        }),
        hasReplicas: false,
        log,
        now: () => fixture.nowMs,
        ...overrides,
      });
      runners.push(runner);
      return { ...runner, asks };
    },
    request(runner, name, raw, requestKey) {
      const operation = catalogue.find(name);
      if (!operation) throw new Error(`no operation ${name}`);
      requests += 1;
      const key = requestKey ?? `request-${requests}`;
      return runner.request({
        requestKey: key,
        operation,
        parsed: parseInput(operation, raw),
        actor,
        origin: { channel: 'C1' },
      });
    },
    async requestConfirmation(runner, name, raw) {
      const reply = await fixture.request(runner, name, raw);
      if (reply.kind !== 'confirmation') throw new Error(`no confirmation, but ${JSON.stringify(reply)}`);
      return reply.confirmation.token;
    },
    async insertRun(status, overrides = {}) {
      const run = createRun({
        id: 'left',
        actor,
        origin: { channel: 'C1' },
        status,
        expiresMs: fixture.nowMs + 5 * minuteMs,
        requestedMs: fixture.nowMs,
        queuedMs: fixture.nowMs,
        settledMs: null,
        ...overrides,
      });
      await runs.claim(run, 'left', { owner: 'gone', untilMs: fixture.nowMs + 30_000 });
    },
    waitUntilSettled: (runId) =>
      eventually(async () => {
        const run = await runs.find(runId);
        if (!run?.settledMs) throw new Error(`the run is ${run?.status}`);
        return run;
      }),
    withOperations(...operations) {
      catalogue = createCatalogue([...hostingOperations().groups, { heading: 'Test', operations }]);
      return catalogue;
    },
    async calls() {
      const response = await fetch(`${sandbox.url}/sandbox/calls`);
      const { calls } = callLog.parse(await response.json());
      return calls.map(({ method, path }) => `${method} ${path}`);
    },
    changingCalls: async () => (await fixture.calls()).filter((call) => !call.startsWith('GET ')),
  };
  return fixture;
}
