import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { RackhandError } from '../error.ts';
import type { HostingClient } from '../hosting/client.ts';
import type { Answer } from './answer.ts';
import type { Catalogue } from './catalogue.ts';
import { checkInput } from './checked-input.ts';
import { createExecution, type QueuedChange } from './execution.ts';
import { parseInput, targetOf } from './input.ts';
import { type Bench, needsConfirmation, type Operation, type Read } from './operation.ts';
import type { RawInput } from './outcome.ts';
import { explain, type Problem } from './problem.ts';
import { createRecovery } from './recovery.ts';
import type { Announce, Asker, Origin, Run, SettledStatus } from './run.ts';
import type { RunStore } from './run-store.ts';

/** How long a confirmation card can be pressed. */
const confirmationMs = 10 * 60_000;

/** How long after its confirmation a run may still be sent: a reboot must not come hours later. */
const sendWithinMs = 5 * 60_000;

/** How long a process is taken to be alive after its last sign of life. */
const leaseMs = 30_000;

export interface RunnerParts {
  readonly runs: RunStore;
  readonly catalogue: Catalogue;
  /** Gives the client of a workspace's key, whose calls throw `key_missing` where there is none. */
  readonly hostingFor: (teamId: string) => HostingClient;
  readonly announce: Announce;
  /** Whether other processes work on the same runs. */
  readonly shared: boolean;
  readonly log: Pick<Logger, 'error'>;
  readonly now?: () => number;
}

/** Told before a wait for the quota: an estimate in ms. */
export type OnQueued = (waitMs: number) => void;

export interface RunRequest {
  /** Unique to what was asked: whatever arrives again with it is a duplicate. */
  readonly requestKey: string;
  readonly operation: Operation;
  readonly raw: RawInput;
  readonly asker: Asker;
  readonly origin: Origin;
  readonly onQueued?: OnQueued;
}

/** The one path that every run takes. Its methods never throw for what the service does or a person gives. */
export interface Runner {
  request(request: RunRequest): Promise<Answer>;
  /** The asker presses the button of a confirmation. */
  confirm(runId: string, asker: Asker, onQueued?: OnQueued): Promise<Answer>;
  /** The asker thinks better of it. */
  cancel(runId: string, asker: Asker): Promise<void>;
  /** Finds a run of the asker's own. */
  find(runId: string, asker: Asker): Promise<Run | undefined>;
  /** Takes up what a process that is gone has left, now and from time to time. */
  start(): Promise<void>;
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
}

/** Creates the runner of this process. */
export function createRunner(parts: RunnerParts): Runner {
  const { runs, catalogue, hostingFor, announce, shared, log, now = Date.now } = parts;
  const owner = randomUUID();
  const execute = createExecution({ runs, announce, owner, now });
  const recover = createRecovery({ runs, catalogue, benchFor, execute, announce, now });
  const underWay = new Set<Promise<void>>();
  let heartbeat: NodeJS.Timeout | undefined;

  const lease = () => ({ owner, untilMs: now() + leaseMs });

  function benchFor(teamId: string, onQueued?: OnQueued): Bench {
    const hosting = hostingFor(teamId);
    const read: Read = (endpoint, input, options) =>
      hosting.call(endpoint, input, { lane: 'people', ...options, ...(onQueued && { onQueued }) });
    return { hosting, context: { catalogue, read } };
  }

  async function findOwn(runId: string, { teamId, userId }: Asker): Promise<Run | undefined> {
    const run = await runs.find(runId);
    return run?.asker.teamId === teamId && run.asker.userId === userId ? run : undefined;
  }

  async function end(runId: string, status: SettledStatus, problem: Problem): Promise<Answer> {
    await runs.settle({ id: runId, owner, status, result: { kind: 'problem', problem }, nowMs: now() });
    return { kind: 'problem', problem };
  }

  /** Shows the target as it is, and binds the confirmation to that. */
  async function ask(
    { run, operation, input, context }: QueuedChange,
    isAskedAgain: boolean,
  ): Promise<Answer> {
    const { facts, state } = (await operation.present?.(context, input)) ?? { facts: [], state: '' };
    if (!(await runs.show(run.id, state, now() + confirmationMs))) return { kind: 'duplicate' };
    const { button, warning } = operation;
    const title = operation.title(input);
    return {
      kind: 'confirmation',
      confirmation: { runId: run.id, title, button, facts, isAskedAgain, ...(warning && { warning }) },
    };
  }

  /** Queues what has been checked, and confirmed as far as it must be, and lets it go its way. */
  async function launch(change: QueuedChange): Promise<Answer> {
    const nowMs = now();
    const notAfterMs = nowMs + sendWithinMs;
    if (!(await runs.queue(change.run.id, lease(), notAfterMs, nowMs))) return { kind: 'duplicate' };
    const run: Run = { ...change.run, status: 'queued', notAfterMs };
    announce(run);
    const ending = execute({ ...change, run })
      .catch((error) => log.error({ err: error, runId: run.id }, 'a run did not come to its end'))
      .finally(() => underWay.delete(ending));
    underWay.add(ending);
    return { kind: 'started' };
  }

  async function proceed(run: Run, { operation, raw, onQueued }: RunRequest): Promise<Answer> {
    const bench = benchFor(run.asker.teamId, onQueued);
    const checked = await checkInput(operation, raw, bench.context.read);
    if (!checked.ok) return end(run.id, 'refused', checked.problem);
    const { input } = checked;
    if (operation.kind === 'change') {
      const change = { run, operation, input, ...bench };
      return needsConfirmation(operation) ? ask(change, false) : launch(change);
    }
    const outcome = await operation.run(bench.context, input);
    await runs.settle({
      id: run.id,
      owner,
      status: 'done',
      result: { kind: 'outcome', outcome },
      nowMs: now(),
    });
    return { kind: 'outcome', runId: run.id, outcome };
  }

  return {
    async request(request) {
      const { requestKey, operation, raw, asker, origin } = request;
      const nowMs = now();
      const run: Run = {
        id: randomUUID(),
        asker,
        operation: operation.name,
        input: raw,
        target: targetOf(operation, parseInput(operation, raw)),
        origin,
        // What changes something only waits until it has been checked and confirmed.
        status: operation.kind === 'read' ? 'queued' : 'waiting',
        shown: null,
        notAfterMs: nowMs + confirmationMs,
        message: null,
        result: null,
        requestedMs: nowMs,
        settledMs: null,
      };
      if (!(await runs.claim(run, requestKey, lease()))) return { kind: 'duplicate' };
      try {
        return await proceed(run, request);
      } catch (error) {
        logUnexpected(error, run);
        return end(run.id, 'failed', explain(error, { changing: false }));
      }
    },

    async confirm(runId, asker, onQueued) {
      const run = await findOwn(runId, asker);
      const operation = run && catalogue.find(run.operation);
      if (operation?.kind !== 'change') return notYours();
      if (run?.status === 'expired') return { kind: 'problem', problem: lapsed() };
      if (run?.status !== 'waiting') return { kind: 'duplicate' };
      if ((run.notAfterMs ?? 0) <= now()) return end(runId, 'expired', lapsed());
      try {
        const parsed = parseInput(operation, run.input);
        if (!parsed.ok) throw new Error('the input of a waiting run is no longer accepted');
        const { input } = parsed;
        const change = { run, operation, input, ...benchFor(asker.teamId, onQueued) };
        const present = await operation.present?.(change.context, input);
        return present && present.state !== run.shown ? await ask(change, true) : await launch(change);
      } catch (error) {
        logUnexpected(error, run);
        return end(runId, 'failed', explain(error, { changing: false }));
      }
    },

    async cancel(runId, asker) {
      const run = await findOwn(runId, asker);
      if (run?.status === 'waiting') await end(runId, 'refused', cancelled());
    },

    find: findOwn,

    async start() {
      const beat = async () => {
        try {
          await runs.extendLeases(lease());
          if (shared) await recover(lease(), now());
        } catch (error) {
          log.error({ err: error }, 'the runs of this process could not be renewed');
        }
      };
      heartbeat = setInterval(beat, leaseMs / 3);
      heartbeat.unref();
      // A database of our own was held by one process at a time: whatever it left is without an owner.
      await recover(lease(), shared ? now() : Number.MAX_SAFE_INTEGER);
    },

    async stop() {
      clearInterval(heartbeat);
      await Promise.all(underWay);
    },
  };

  function logUnexpected(error: unknown, run: Run): void {
    if (!(error instanceof RackhandError))
      log.error({ err: error, runId: run.id }, 'a run failed unexpectedly');
  }
}

function notYours(): Answer {
  const error = new RackhandError('not_yours', 'This request is not yours, or it does not exist.');
  return { kind: 'problem', problem: explain(error, { changing: false }) };
}

function lapsed(): Problem {
  return explain(new RackhandError('deadline_passed', 'This request has lapsed.'), { changing: false });
}

function cancelled(): Problem {
  return explain(new RackhandError('cancelled', 'You cancelled this.'), { changing: false });
}
