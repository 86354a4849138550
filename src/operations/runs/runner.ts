import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { RackhandError } from '../../error.ts';
import type { HostingClient } from '../../hosting/client.ts';
import type { Lane } from '../../hosting/quota/quota.ts';
import type { RunStatus } from '../../storage/schema.ts';
import type { Catalogue } from '../catalogue.ts';
import { inputOf, parseInput, targetOf, vpsNamesOf } from '../input.ts';
import { type Bench, effectOf, needsConfirmation, type Operation, type Read, rightOf } from '../operation.ts';
import type { RawInput } from '../outcome.ts';
import type { Access } from './access.ts';
import { createActivity } from './activity.ts';
import type { Answer } from './answer.ts';
import { createCaretaker, leaseMs } from './caretaker.ts';
import { checkInput } from './checked-input.ts';
import { confirmationToken, readConfirmationToken } from './confirmation-token.ts';
import { createExecution, type QueuedChange } from './execution.ts';
import { createFollowing } from './following.ts';
import type { FollowingStore } from './following-store.ts';
import { requirePermissions } from './held-permissions.ts';
import { cancelled, explain, lapsed, notPermitted, notYours, type Problem } from './problem.ts';
import { createRecovery } from './recovery.ts';
import type { Announce, Asker, Origin, Run, SettledStatus } from './run.ts';
import type { RunStore } from './run-store.ts';
import { type SecretKeeper, withoutSecrets } from './secret-keeper.ts';
import { createSettling } from './settling.ts';
import { unlessLate } from './unless-late.ts';

/** How long a confirmation card can be pressed, and how long the checks before it, or a read, may take. */
const waitingMs = 10 * 60_000;

/** How long after its confirmation a run may still be sent: a reboot must not come hours later. */
const sendWithinMs = 5 * 60_000;

/** A card that has just been shown anew is not yet read: a click so soon was meant for the one before. */
const unreadMs = 1_000;

export interface RunnerParts {
  readonly runs: RunStore;
  readonly followed: FollowingStore;
  readonly secrets: SecretKeeper;
  readonly catalogue: Catalogue;
  /** Gives the client of a workspace's key, whose calls throw `key_missing` where there is none. */
  readonly hostingFor: (teamId: string) => HostingClient;
  /** Asked before anything of a run is read or checked, and again at its confirmation. */
  readonly access: Access;
  /** Gives the asker's time zone, by its IANA name. */
  readonly timeZoneOf: (asker: Asker) => Promise<string>;
  readonly announce: Announce;
  /** Whether other processes work on the same runs. */
  readonly shared: boolean;
  readonly log: Pick<Logger, 'info' | 'error'>;
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
  /** The asker presses the button of a confirmation, which carries its token. */
  confirm(token: string, asker: Asker, onQueued?: OnQueued): Promise<Answer>;
  /** The asker thinks better of it. */
  cancel(token: string, asker: Asker): Promise<void>;
  /** Finds a run of the asker's own. */
  find(runId: string, asker: Asker): Promise<Run | undefined>;
  /** Takes up what a process that is gone has left, now and from time to time. */
  start(): Promise<void>;
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
}

/** Creates the runner of this process. */
export function createRunner(parts: RunnerParts): Runner {
  const { runs, secrets, catalogue, hostingFor, access, timeZoneOf, announce, shared, log } = parts;
  const { now = Date.now } = parts;
  const owner = randomUUID();
  const activity = createActivity(log);
  const { settle, conclude } = createSettling({ runs, announce, owner, now, log });
  const contextFor = (run: Run) => benchFor(run, undefined, 'background').context;
  const followingParts = { store: parts.followed, runs, catalogue, contextFor, announce, owner, now, log };
  const following = createFollowing(followingParts);
  const execute = createExecution({ runs, conclude, announce, following, secrets, owner, now });
  const recover = createRecovery({ catalogue, benchFor, execute, conclude });
  const looks = { runs, activity, recover, announce, following, secrets, owner, shared, now, log };
  const caretaker = createCaretaker(looks);

  const lease = () => ({ owner, untilMs: now() + leaseMs });

  function benchFor(
    { asker, origin }: Pick<Run, 'asker' | 'origin'>,
    onQueued?: OnQueued,
    lane: Lane = 'people',
  ): Bench {
    const hosting = hostingFor(asker.teamId);
    const read: Read = (endpoint, input, options) =>
      hosting.call(endpoint, input, { lane, ...options, ...(onQueued && { onQueued }) });
    const timeZone = () => timeZoneOf(asker);
    return { hosting, context: { catalogue, read, usage: hosting.usage, timeZone, asker, origin } };
  }

  /** Tells why a person may not do this, if so; `input` as far as it is understood. */
  async function refusalOf(
    { asker, origin }: Pick<Run, 'asker' | 'origin'>,
    operation: Operation,
    input: Readonly<Record<string, unknown>>,
  ): Promise<Problem | undefined> {
    const right = rightOf(operation);
    if (right === null) return undefined;
    const refusal = await access(asker, origin, { right, vps: vpsNamesOf(operation.arguments, input) });
    return refusal && notPermitted(refusal);
  }

  async function findOwn(runId: string, { teamId, userId }: Asker): Promise<Run | undefined> {
    const run = await runs.find(runId);
    return run?.asker.teamId === teamId && run.asker.userId === userId ? run : undefined;
  }

  /** Ends a run of which only its asker knows; nothing is to be said where somebody else has moved it on. */
  async function end(run: Run, status: SettledStatus, problem: Problem): Promise<Answer> {
    const from: readonly RunStatus[] = [run.status];
    const isEnded = await settle(run, from, { status, result: { kind: 'problem', problem } });
    return isEnded ? { kind: 'problem', problem } : { kind: 'duplicate' };
  }

  /** What came first, or was too late: a run that could not be moved on from `waiting`. */
  function endOverdue(run: Run): Promise<Answer> | Answer {
    return (run.notAfterMs ?? 0) <= now() ? end(run, 'expired', lapsed()) : { kind: 'duplicate' };
  }

  /** Shows the target as it is, and binds the confirmation to that. */
  async function ask(
    { run, operation, input, context }: QueuedChange,
    isAskedAgain: boolean,
  ): Promise<Answer> {
    const { facts, state } = (await operation.present?.(context, input)) ?? { facts: [], state: '' };
    const nowMs = now();
    const until = { notAfterMs: nowMs + waitingMs, askedAgainMs: isAskedAgain ? nowMs : null };
    if (!(await runs.show(run.id, state, until))) return endOverdue(run);
    const { button, warning, typedToConfirm } = operation;
    const token = confirmationToken(run.id, state);
    const confirmation = {
      token,
      title: operation.title(input),
      button,
      facts,
      isAskedAgain,
      effect: effectOf(operation),
      ...(warning && { warning }),
      ...(typedToConfirm && { typed: typedToConfirm(input) }),
    };
    return { kind: 'confirmation', confirmation };
  }

  /** Queues what has been checked, and confirmed as far as it must be, and lets it go its way. */
  async function launch(change: QueuedChange): Promise<Answer> {
    const queuedMs = now();
    const notAfterMs = queuedMs + sendWithinMs;
    if (!(await runs.queue(change.run.id, lease(), notAfterMs, queuedMs))) return endOverdue(change.run);
    const run: Run = { ...change.run, status: 'queued', notAfterMs, queuedMs };
    announce(run);
    activity.begin(run.id, () => execute({ ...change, run }));
    return { kind: 'started' };
  }

  async function proceed(claimed: Run, { operation, raw, onQueued }: RunRequest): Promise<Answer> {
    const { id: runId, asker } = claimed;
    const refused = await refusalOf(claimed, operation, inputOf(operation, raw));
    if (refused) return end(claimed, 'refused', refused);
    const bench = benchFor(claimed, onQueued);
    await requirePermissions(operation, bench.context.read);
    const checked = await checkInput(operation, raw, bench.context.read);
    if (!checked.ok) return end(claimed, 'refused', checked.problem);
    const { input } = checked;
    const run = await refine(claimed, operation, checked.raw);
    // What was called by another name may be what this person has no right to.
    const refusedByName = run === claimed ? undefined : await refusalOf(run, operation, input);
    if (refusedByName) return end(run, 'refused', refusedByName);
    if (operation.kind === 'change') {
      const change = { run, operation, input, ...bench };
      return needsConfirmation(operation, input) ? ask(change, false) : launch(change);
    }
    const told = await withoutSecrets(await operation.run(bench.context, input), secrets, { runId, asker });
    // A picture is told of once, and is not looked up again.
    const { chart: _, ...outcome } = told;
    await settle(run, ['queued'], { status: 'done', result: { kind: 'outcome', outcome } });
    return { kind: 'outcome', runId, outcome: told };
  }

  /** Keeps an input whose names have become identifiers. */
  async function refine(run: Run, operation: Operation, raw: RawInput): Promise<Run> {
    if (raw === run.input) return run;
    const target = targetOf(operation, parseInput(operation, raw));
    await runs.refine(run.id, raw, target);
    return { ...run, input: raw, target };
  }

  /** Answers by `work`, whatever happens in it, and at the latest when the run lapses. */
  async function answer(run: Run, work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await unlessLate(work(), (run.notAfterMs ?? now()) - now());
    } catch (error) {
      const isOurs = error instanceof RackhandError;
      if (isOurs) log.info({ runId: run.id, reason: error.label }, 'a run did not go through');
      else log.error({ err: error, runId: run.id }, 'a run failed unexpectedly');
      return end(run, 'failed', explain(error, { changing: false }));
    }
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
        status: operation.kind === 'change' ? 'waiting' : 'queued',
        shown: null,
        askedAgainMs: null,
        notAfterMs: nowMs + waitingMs,
        message: null,
        result: null,
        progress: null,
        requestedMs: nowMs,
        queuedMs: operation.kind === 'change' ? null : nowMs,
        settledMs: null,
      };
      if (!(await runs.claim(run, requestKey, lease()))) return { kind: 'duplicate' };
      return activity.during(
        run.id,
        answer(run, () => proceed(run, request)),
      );
    },

    async confirm(token, asker, onQueued) {
      const { runId, isFor } = readConfirmationToken(token);
      const run = await findOwn(runId, asker);
      const operation = run && catalogue.find(run.operation);
      if (!run || operation?.kind !== 'change') return { kind: 'problem', problem: notYours() };
      if (run.status === 'expired') return { kind: 'problem', problem: lapsed() };
      if (run.status !== 'waiting') return { kind: 'duplicate' };
      if ((run.notAfterMs ?? 0) <= now()) return end(run, 'expired', lapsed());
      const isUnread = run.askedAgainMs !== null && now() - run.askedAgainMs < unreadMs;
      if (isUnread || !isFor(run.shown)) return { kind: 'duplicate' };
      return answer(run, async () => {
        const parsed = parseInput(operation, run.input);
        if (!parsed.ok) throw new Error('the input of a waiting run is no longer accepted');
        const { input } = parsed;
        const refused = await refusalOf(run, operation, input);
        if (refused) return end(run, 'refused', refused);
        const change = { run, operation, input, ...benchFor(run, onQueued) };
        const present = await operation.present?.(change.context, input);
        return present && present.state !== run.shown ? ask(change, true) : launch(change);
      });
    },

    async cancel(token, asker) {
      const run = await findOwn(readConfirmationToken(token).runId, asker);
      if (run?.status === 'waiting') await end(run, 'refused', cancelled());
    },

    find: findOwn,
    start: caretaker.start,

    async stop() {
      caretaker.stop();
      await activity.ended();
    },
  };
}
