import { stopWithinGrace } from '../../src/app/stop.ts';
import type { AskRules } from '../../src/asks/ask.ts';
import { createAskMessages, createCloseAsk } from '../../src/asks/ask-messages.ts';
import { createAskStore } from '../../src/asks/ask-store.ts';
import { type Asks, createAsks } from '../../src/asks/asks.ts';
import type { Vault } from '../../src/db/encryption/vault.ts';
import { createHostingClient } from '../../src/hosting/client/hosting-client.ts';
import { createRateLimiter } from '../../src/hosting/quota/rate-limiter.ts';
import { createLocalDatabaseClock } from '../../src/jobs/database-clock.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { createOutbox } from '../../src/messages/outbox.ts';
import type { ResolveAccess } from '../../src/operations/define/access/access.ts';
import { hostingOperations } from '../../src/operations/hosting-operations.ts';
import { createRunMessages } from '../../src/runs/run-messages.ts';
import { createRunner, type Runner } from '../../src/runs/runner.ts';
import { createOneTimeSecretStore } from '../../src/runs/secrets/one-time-secret-store.ts';
import { createRunStore } from '../../src/runs/store/run-store.ts';
import { databaseNow, type Gate } from './machine/shared-database.ts';
import type { TimerOwner } from './machine/virtual-time.ts';
import { createTextRenderer } from './outside/render-text.ts';
import { createSimulatedReportJob } from './simulated-reports.ts';
import { createSimulatedScheduleJob } from './simulated-schedules.ts';
import { listVps, type World } from './world.ts';

/** There are few of these in a simulation, so crashes are more likely there. */
const rarePlaces: ReadonlySet<string> = new Set(['before a post', 'after a post']);

/** A process of Rackhand, with the real pipeline, jobs and ledger. */
export interface SimulatedProcess {
  readonly name: string;
  readonly runner: Runner;
  readonly asks: Asks;
  /** Resolves when the process has crashed or stopped. */
  readonly ended: Promise<void>;
  isReady(): boolean;
  /** Serves a person's request. */
  serve(work: () => Promise<void>): Promise<void>;
  /** Stops the process as a signal does. */
  stop(): void;
  /** Ends the process without a trace, because the simulation is over. */
  end(): void;
  readonly gate: Gate;
}

const catalogue = hostingOperations();

/** Only runs are asked about. */
const noRules: AskRules = {
  operation: 'access grant',
  needsAskersAccess: false,
  carryOut: async () => undefined,
};

/** Doesn't encrypt, because the threads that encrypt know nothing of virtual time. */
const vault: Vault = {
  encrypt: async (secret, context) => JSON.stringify({ secret, context }),
  async decrypt(text, context) {
    const stored = JSON.parse(text);
    if (JSON.stringify(stored.context) !== JSON.stringify(context)) throw new Error('another context');
    return stored.secret;
  },
  matchKey: () => 'primary',
};
const callTimeoutMs = 31_000;

/** A stop that takes this long has given up. */
export const stopGraceMs = 5_000;

export function startProcess(world: World, name: string): SimulatedProcess {
  const { time, random, scenario, service, shared } = world;
  const owner: TimerOwner = { isDead: false, frozenUntilMs: 0 };
  const { promise: ended, resolve: reportEnd } = Promise.withResolvers<void>();
  const never = new Promise<never>(() => {});
  const rollBacks: (() => void)[] = [];
  let isReady = false;
  let runner: Runner | undefined;
  let asks: Asks | undefined;
  const serving = new Set<Promise<void>>();

  /** What is left of the process no longer changes anything. */
  function rollBackAll(): void {
    for (const rollBack of rollBacks) time.outside(rollBack);
  }

  function crash(): void {
    if (owner.isDead) return;
    owner.isDead = true;
    isReady = false;
    world.record({ kind: 'crashed', processName: name });
    rollBackAll();
    reportEnd();
  }

  const gate: Gate = async (place) => {
    if (owner.isDead) return never;
    if (
      world.isTroubled &&
      random.chance(scenario.crashRate * (rarePlaces.has(place) ? 10 : 1)) &&
      mayCrash(world)
    ) {
      crash();
      return never;
    }
    if (world.isTroubled && random.chance(scenario.freezeRate)) {
      owner.frozenUntilMs = time.now() + random.between(500, 90_000);
      world.record({ kind: 'frozen', processName: name });
      await time.sleep(1);
      // Node.js fires the timers that are overdue before it writes to a connection.
      await time.sleep(1);
      world.record({ kind: 'thawed', processName: name });
    }
    if (random.chance(scenario.delayRate)) await time.sleep(random.between(1, 30));
    // Woken too early, because the process was frozen in the meantime.
    while (time.now() < owner.frozenUntilMs) await time.sleep(1);
  };

  const logError = (fields: object, message: string) => {
    const error = 'err' in fields ? fields.err : undefined;
    world.record({ kind: 'failed', message: `${message}: ${error}` });
  };
  const log = { info() {}, warn: () => {}, error: logError } as never;
  const hasReplicas = scenario.processCount > 1;

  async function boot() {
    const db = shared.connect(gate, (rollBack) => {
      if (owner.isDead) rollBack();
      else rollBacks.push(rollBack);
    });
    const apiKey = 'key';
    const rateLimiter = createRateLimiter({
      callTimeoutMs,
      logger: log,
      // Each transaction has the simulated database to itself, so that nothing else needs a lock.
      table: { db, sharedClock: hasReplicas ? { sqlNow: () => databaseNow, async lock() {} } : undefined },
    });
    const client = createHostingClient(
      { baseUrl: 'http://service.test', keyHeader: 'authorization', pathOverrides: {} },
      { apiKey, fingerprint: apiKey, limit: scenario.quota },
      { transport: service.connect(name, gate), rateLimiter },
    );
    const jobs = createJobs({
      db,
      databaseClock: createLocalDatabaseClock(),
      hasReplicas,
      maxSleepMs: 10_000,
      log,
    });
    const outbox = createOutbox({ db, jobs, log });
    const askStore = createAskStore(db);
    const closeAsk = createCloseAsk(askStore, outbox, Date.now);
    const runs = createRunStore(db, vault, createRunMessages(outbox, { closeAsk }));
    outbox.connect({
      transport: world.slack.connect(gate, createTextRenderer(runs, askStore)),
      listAdmins: async () => ['U9'],
    });
    jobs.define(createSimulatedReportJob({ db, client, outbox, log }));
    const resolveAccess: ResolveAccess = async ({ userId }) => {
      await gate('checking rights');
      return () =>
        world.revoked.has(userId) ? { message: 'not permitted', advice: 'Ask an admin.' } : undefined;
    };
    jobs.define(
      createSimulatedScheduleJob(world, {
        db,
        client,
        gate,
        runs,
        runner: () => simulated.runner,
        resolveAccess,
      }),
    );
    asks = createAsks({
      store: askStore,
      messages: createAskMessages(outbox, async () => ({ kind: 'unknown' })),
      transact: outbox.transact,
      findPeopleWith: async () => ({ people: ['U1', 'U7', 'U8'], isComplete: true }),
      resolveAccess,
      runs,
      runner: () => simulated.runner,
      kinds: {
        access: noRules,
        drop_rule: noRules,
        revoke_admin: noRules,
        reveal: noRules,
        schedule: noRules,
      },
      now: Date.now,
      log,
    });
    runner = createRunner({
      jobs,
      runs,
      secrets: createOneTimeSecretStore(db, vault, Date.now),
      resolveAccess,
      findApprovalRoute: async ({ run }) =>
        listVps(run).some((vps) => world.guarded.has(vps)) ? { channel: 'C2' } : undefined,
      approvals: asks,
      findTimeZone: async () => 'UTC',
      listVpsAliases: async () => new Map(),
      catalogue,
      hostingClientFor: () => client,
      hasReplicas,
      log,
      pause: time.sleep,
    });
    await runner.start();
    await jobs.start();
    return { runner, jobs, rateLimiter };
  }

  const booted = time.runAs(owner, boot);
  booted.then(
    () => {
      isReady = !owner.isDead;
      world.record({ kind: 'started', processName: name });
    },
    (error) => logError({ err: error }, 'a process could not start'),
  );

  async function stop(): Promise<void> {
    if (owner.isDead || !isReady) return;
    isReady = false;
    world.record({ kind: 'stopping', processName: name });
    const { runner: stopped, jobs, rateLimiter } = await booted;
    await stopWithinGrace(
      {
        stopAccepting: async () => undefined,
        jobs,
        rateLimiter,
        requests: { drained: () => drained(serving), interrupt: async () => undefined },
        uninstaller: { drained: async () => undefined },
        runner: stopped,
        close: async () => undefined,
        log,
      },
      stopGraceMs,
    );
    if (owner.isDead) return;
    owner.isDead = true;
    world.record({ kind: 'stopped', processName: name });
    rollBackAll();
    reportEnd();
  }

  const simulated: SimulatedProcess = {
    name,
    ended,
    gate,
    serve(work) {
      const served: Promise<void> = time.runAs(owner, work).finally(() => serving.delete(served));
      serving.add(served);
      return served;
    },
    stop: () =>
      void time.runAs(owner, () =>
        stop().catch((error) => logError({ err: error }, 'a process could not stop')),
      ),
    end() {
      owner.isDead = true;
      rollBackAll();
    },
    isReady: () => isReady && time.now() >= owner.frozenUntilMs,
    get asks() {
      if (!asks) throw new Error('the process has not started');
      return asks;
    },
    get runner() {
      if (!runner) throw new Error('the process has not started');
      return runner;
    },
  };
  return simulated;
}

/** Resolves when all promises have settled, also those that are added meanwhile. */
async function drained(promises: Set<Promise<void>>): Promise<void> {
  while (promises.size > 0) await Promise.allSettled(promises);
}

function mayCrash({ events, scenario }: World): boolean {
  return events.filter(({ kind }) => kind === 'crashed').length < scenario.maxCrashes;
}
