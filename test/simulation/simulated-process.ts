import { createCallJournal } from '../../src/db/call-journal.ts';
import { createVault } from '../../src/db/encryption/vault.ts';
import { createHostingClient } from '../../src/hosting/client/hosting-client.ts';
import { createRateLimiter } from '../../src/hosting/rate-limit/rate-limiter.ts';
import { createLocalDatabaseClock } from '../../src/jobs/database-clock.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { hostingOperations } from '../../src/operations/hosting-operations.ts';
import { createAnswerSpool } from '../../src/runs/recovery/answer-spool.ts';
import type { Announce, Run } from '../../src/runs/run.ts';
import { createRunner, type Runner } from '../../src/runs/runner.ts';
import { createOneTimeSecretStore } from '../../src/runs/secrets/one-time-secret-store.ts';
import { createRunStore, type RunStore } from '../../src/runs/store/run-store.ts';
import type { Gate } from './machine/shared-database.ts';
import type { TimerOwner } from './machine/virtual-time.ts';
import type { CardBoard } from './outside/card-board.ts';
import { createSimulatedReportJob } from './simulated-reports.ts';
import type { World } from './world.ts';

/** There are few of these in a simulation, so crashes are more likely there. */
const rarePlaces: ReadonlySet<string> = new Set([
  'before a post',
  'after a post',
  'before a card',
  'after a card',
]);

/** A process of Rackhand, with the real pipeline, jobs and ledger. */
export interface SimulatedProcess {
  readonly name: string;
  readonly runner: Runner;
  /** Resolves when the process has crashed. */
  readonly crashed: Promise<void>;
  isReady(): boolean;
  /** Ends the process without a trace, because the simulation is over. */
  end(): void;
  /** Runs code in this process. */
  run<T>(work: () => T): T;
  readonly gate: Gate;
}

const catalogue = hostingOperations();
const vault = createVault([new Uint8Array(32)]);
const callTimeoutMs = 31_000;

export function startProcess(world: World, name: string, board: CardBoard): SimulatedProcess {
  const { time, random, scenario, service, shared } = world;
  const owner: TimerOwner = { isDead: false, frozenUntilMs: 0 };
  const { promise: crashed, resolve: reportCrash } = Promise.withResolvers<void>();
  const never = new Promise<never>(() => {});
  const rollBacks: (() => void)[] = [];
  let isReady = false;

  function crash(): void {
    if (owner.isDead) return;
    owner.isDead = true;
    isReady = false;
    world.record({ kind: 'crashed', processName: name });
    for (const rollBack of rollBacks) time.outside(rollBack);
    reportCrash();
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

  async function boot(): Promise<Runner> {
    const db = shared.connect(gate, (rollBack) => {
      if (owner.isDead) rollBack();
      else rollBacks.push(rollBack);
    });
    // Replicas share their quota in Redis, which isn't simulated. Each has a key of its own here.
    const apiKey = hasReplicas ? `key of ${name}` : 'key';
    const rateLimiter = await createRateLimiter({
      callTimeoutMs,
      logger: log,
      ...(!hasReplicas && { journal: createCallJournal(db) }),
    });
    const client = createHostingClient(
      { baseUrl: 'http://service.test', keyHeader: 'authorization', pathOverrides: {} },
      { apiKey, fingerprint: apiKey, limit: scenario.quota },
      { transport: service.connect(name, gate), rateLimiter },
    );
    const runs = createRunStore(db, vault);
    const jobs = createJobs({
      db,
      databaseClock: createLocalDatabaseClock(),
      hasReplicas,
      maxSleepMs: 10_000,
      log,
    });
    jobs.define(createSimulatedReportJob(world, { db, client, gate, log }));
    const runner = createRunner({
      jobs,
      answerSpool: createAnswerSpool({ dir: undefined, vault, log }),
      vault,
      runs,
      secrets: createOneTimeSecretStore(db, vault, Date.now),
      resolveAccess: async ({ userId }) => {
        await gate('checking rights');
        return () =>
          world.revoked.has(userId) ? { message: 'not permitted', advice: 'Ask an admin.' } : undefined;
      },
      findApprovalRule: async ({ run }) =>
        run.target !== null && world.guarded.has(run.target) ? { channel: 'C2' } : undefined,
      approvalCards: board.createCards(gate),
      findTimeZone: async () => 'UTC',
      listVpsAliases: async () => new Map(),
      catalogue,
      hostingClientFor: () => client,
      announce: createAnnounce(world, runs, gate),
      hasReplicas,
      log,
      pause: time.sleep,
    });
    await runner.start();
    await jobs.start();
    return runner;
  }

  const booted = time.runAs(owner, boot);
  let runner: Runner | undefined;
  booted.then(
    (started) => {
      runner = started;
      isReady = !owner.isDead;
      world.record({ kind: 'started', processName: name });
    },
    (error) => logError({ err: error }, 'a process could not start'),
  );
  return {
    name,
    crashed,
    gate,
    end() {
      owner.isDead = true;
    },
    isReady: () => isReady && time.now() >= owner.frozenUntilMs,
    run: (work) => time.runAs(owner, work),
    get runner() {
      if (!runner) throw new Error('the process has not started');
      return runner;
    },
  };
}

function mayCrash({ events, scenario }: World): boolean {
  return events.filter(({ kind }) => kind === 'crashed').length < scenario.maxCrashes;
}

/** Publishes runs as Slack messages do: one after the other, and marks settled ones as delivered. */
function createAnnounce(world: World, runs: RunStore, gate: Gate): Announce {
  const publishing = new Map<string, Promise<void>>();

  async function publish({ id, settledMs, status }: Run): Promise<void> {
    await gate('before a message');
    if (settledMs !== null) world.record({ kind: 'told', runId: id, status });
    await gate('after a message');
    if (settledMs !== null) await runs.markDelivered(id, settledMs);
  }

  return (run) => {
    const before = publishing.get(run.id) ?? Promise.resolve();
    publishing.set(
      run.id,
      before
        .then(() => publish(run))
        .catch((error) => world.record({ kind: 'failed', message: `a message: ${error}` })),
    );
  };
}
