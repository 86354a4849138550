import type { FindCreatorStanding } from '../../auth/creator-standing.ts';
import { isUnreadableRow } from '../../db/row-reader.ts';
import { isStopped, RackhandError } from '../../errors.ts';
import type { HostingClient } from '../../hosting/client/hosting-client.ts';
import { listSnapshots } from '../../hosting/endpoints/snapshots.ts';
import { getVps } from '../../hosting/endpoints/vps.ts';
import { readSnapshots } from '../../hosting/payloads/snapshots.ts';
import { readVps } from '../../hosting/payloads/vps.ts';
import type { Clock } from '../../jobs/clock.ts';
import type { ResolveAccess } from '../../operations/define/access/access.ts';
import { parseInput } from '../../operations/define/arguments/input.ts';
import type { RawInput } from '../../operations/define/arguments/raw-input.ts';
import type { Catalogue } from '../../operations/define/operation.ts';
import { toAutomaticName } from '../../operations/snapshot/automatic-name.ts';
import { isBroken, isComplete } from '../../operations/snapshot/snapshot-state.ts';
import { isTransitional } from '../../operations/vps/state-words.ts';
import type { ListVpsAliases } from '../../runs/pipeline/run-environment.ts';
import { type Problem, toProblem, unreadableRunProblem } from '../../runs/problem.ts';
import type { Run } from '../../runs/run.ts';
import type { Runner } from '../../runs/runner.ts';
import type { RunStore } from '../../runs/store/run-store.ts';
import { deleteOperation, snapshotOperation } from '../planning/plan-targets.ts';
import { planRetention } from '../retention/plan-retention.ts';
import { type Schedule, type Target, toOccurrenceKey } from '../schedule.ts';
import type { ScheduleStore, SnapshotStore } from '../schedule-store.ts';

export interface ExecutionDependencies {
  readonly store: ScheduleStore;
  readonly snapshots: SnapshotStore;
  readonly runs: Pick<RunStore, 'findByRequestKey'>;
  readonly runner: () => Pick<Runner, 'runScheduled' | 'deliver'>;
  readonly catalogue: () => Catalogue;
  readonly hostingFor: (teamId: string) => HostingClient;
  readonly listVpsAliases: ListVpsAliases;
  readonly resolveAccess: ResolveAccess;
  readonly findCreatorStanding: FindCreatorStanding;
}

/** How late a change can begin. A nightly reboot must not happen during working hours. */
export const maxWaitMs = 15 * 60_000;

export const lateText = "The change couldn't begin within 15 minutes of its time, so nothing was done.";

/** How long a target is followed after the due time. After that, no snapshot is deleted. */
const maxFollowMs = 2 * 3_600_000;

/**
 * Creates the function that advances a target by one step. It returns the same object if the target has to wait. Every
 * step can be repeated after a crash.
 */
export function createTargetSteps({
  store,
  snapshots,
  runs,
  runner,
  catalogue,
  hostingFor,
}: ExecutionDependencies) {
  const finish = (target: Target, isOk: boolean, text: string): Target => ({
    ...target,
    step: 'done',
    isOk,
    text,
  });

  /**
   * Lists a VPS's snapshots, or returns why the read failed. Throws if a retry can help, unless it's too
   * late for one.
   */
  async function listSnapshotsOf({ teamId, id }: Schedule, vps: string, isLate: boolean) {
    const options = { lane: 'background', caller: id } as const;
    try {
      return readSnapshots(
        await hostingFor(teamId).call(listSnapshots, { params: { vps_name: vps } }, options),
        vps,
      );
    } catch (error) {
      return describeReadFailure(error, isLate);
    }
  }

  const request = createRunRequest({ runs, runner, catalogue });

  /** Reads a VPS's state, or returns why the read failed. Throws if a retry can help, unless it's too late for one. */
  async function readState(
    { teamId, id }: Schedule,
    vps: string,
    isLate: boolean,
  ): Promise<{ readonly state?: string | undefined; readonly failure?: string }> {
    const options = { lane: 'background', caller: id } as const;
    try {
      const data = await hostingFor(teamId).call(getVps, { params: { vps_name: vps } }, options);
      return { state: readVps(data, vps).state };
    } catch (error) {
      return { failure: describeReadFailure(error, isLate) };
    }
  }

  /** Returns `lateText`, plus the reason if the delay came from a VPS that can't be read. */
  async function explainLateness(schedule: Schedule, vps: string): Promise<string> {
    const { failure } = await readState(schedule, vps, true);
    return failure === undefined ? lateText : `${lateText} ${vps} couldn't be read: ${failure}`;
  }

  /** Returns why a VPS's state forbids the change, or undefined if it doesn't. */
  async function findForbiddingState(schedule: Schedule, vps: string): Promise<string | undefined> {
    const { state, failure } = await readState(schedule, vps, false);
    if (failure !== undefined) return `${vps} couldn't be read, so nothing was done. ${failure}`;
    if (state === undefined) return undefined;
    if (isTransitional(state)) return `${vps} is ${state}, so nothing was done.`;
    const isReboot = schedule.act.operation === 'reboot';
    if (isReboot && /^(stopped|off|shut ?off|halted|powered ?off)$/i.test(state))
      return `${vps} is ${state}. A schedule doesn't reboot a VPS that someone has stopped.`;
    return undefined;
  }

  const requestKeyOf = ({ id }: Schedule, dueMs: number, { vps, attempt }: Target) =>
    `schedule:${id}:${dueMs}:${vps}:${attempt}`;

  /**
   * Returns why targets can no longer begin: the schedule was paused or deleted, or it's too late. Returns
   * undefined if they still can.
   */
  async function findEnd({ id }: Schedule, dueMs: number, clock: Clock): Promise<string | undefined> {
    const state = (await store.get(id))?.state.kind;
    if (state === 'paused') return 'Someone had paused the schedule, so nothing was done.';
    if (state === undefined || state === 'deleted')
      return 'Someone had deleted the schedule, so nothing was done.';
    return clock.now() > dueMs + maxWaitMs ? lateText : undefined;
  }

  /**
   * Finds another schedule that is working on the VPS or has claimed it. `isFirst` says whether the other
   * schedule goes first.
   */
  async function findOther({ id, teamId }: Schedule, dueMs: number, { vps, step }: Target) {
    if (vps === '') return undefined;
    const others = (await store.list(teamId)).filter((other) => other.id !== id);
    for (const other of others) {
      const { dueMs: otherMs = 0, targets = [] } = other.occurrence ?? {};
      const its = targets.find((target) => target.vps === vps && target.step !== 'done')?.step;
      const isFirst = otherMs === dueMs ? other.id < id : otherMs < dueMs;
      if (its === undefined || (its === 'start' && (step === 'claim' || !isFirst))) continue;
      return { name: other.name, isFirst: isFirst || its !== 'claim' };
    }
    return undefined;
  }

  /** Keeps a target waiting for another schedule while it isn't too late to begin. */
  function wait(dueMs: number, target: Target, other: { readonly name: string }, clock: Clock): Target {
    if (clock.now() <= dueMs + maxWaitMs) return target;
    const text = `Schedule "${other.name}" was still working on ${target.vps}, so this time was skipped.`;
    return finish(target, false, text);
  }

  /** Claims the VPS, unless another schedule is working on it or goes first. */
  async function claim(schedule: Schedule, dueMs: number, target: Target, clock: Clock): Promise<Target> {
    const other = await findOther(schedule, dueMs, target);
    return other ? wait(dueMs, target, other, clock) : { ...target, step: 'claim' };
  }

  /**
   * Returns the next state of a target that has claimed its VPS but can't begin, or undefined if the
   * target can begin.
   */
  async function findObstacle(
    schedule: Schedule,
    dueMs: number,
    target: Target,
    clock: Clock,
  ): Promise<Target | undefined> {
    const { vps, attempt } = target;
    const other = await findOther(schedule, dueMs, target);
    // If two schedules have claimed the VPS, the later one gives up its claim.
    if (other) return other.isFirst ? { ...target, step: 'start' } : wait(dueMs, target, other, clock);
    const isRead = vps !== '' && attempt === 1;
    const end = await findEnd(schedule, dueMs, clock);
    if (end === lateText && isRead) return finish(target, false, await explainLateness(schedule, vps));
    // Reading the state can take minutes, so the schedule is checked again.
    const text =
      end ??
      (isRead ? await findForbiddingState(schedule, vps) : undefined) ??
      (isRead ? await findEnd(schedule, dueMs, clock) : undefined);
    return text === undefined ? undefined : finish(target, false, text);
  }

  function nameSnapshot({ id, name, act }: Schedule, dueMs: number, { vps, attempt }: Target): string {
    const { name: typed } = act.input;
    return toAutomaticName(typeof typed === 'string' ? typed : name, dueMs, [id, dueMs, vps, attempt].join());
  }

  async function begin(schedule: Schedule, dueMs: number, target: Target, clock: Clock): Promise<Target> {
    const { vps } = target;
    const { operation, input } = schedule.act;
    const snapshot = operation === snapshotOperation ? nameSnapshot(schedule, dueMs, target) : undefined;
    const isRequested = await runs.findByRequestKey(requestKeyOf(schedule, dueMs, target));
    const stopped = isRequested ? undefined : await findObstacle(schedule, dueMs, target, clock);
    if (stopped) return stopped;
    // Stored before the call, so retention knows about the snapshot even after a crash.
    if (snapshot !== undefined && schedule.keep)
      await snapshots.add(schedule.id, { vps, name: snapshot, takenMs: dueMs, state: 'taking' });
    const raw: RawInput = {
      ...input,
      ...(vps !== '' && { vps }),
      ...(snapshot !== undefined && { name: snapshot }),
    };
    const requested = await request(schedule, requestKeyOf(schedule, dueMs, target), operation, raw);
    if (requested.kind === 'problem') return finish(target, false, requested.problem);
    return { ...target, step: 'run', ...(snapshot !== undefined && { snapshot }) };
  }

  /** Ends a target whose run failed. If Rackhand stopped before sending the call, the target starts over. */
  async function endFailed(
    schedule: Schedule,
    target: Target,
    { status }: Run,
    { problem, isLate }: { readonly problem: Problem; readonly isLate: boolean },
  ): Promise<Target> {
    const wasSent = status === 'unknown';
    if (problem.code === 'stopped' && !wasSent && !isLate)
      return { ...target, step: 'start', attempt: target.attempt + 1 };
    const { vps, snapshot } = target;
    if (snapshot !== undefined && !wasSent) await snapshots.remove(schedule.id, { vps, name: snapshot });
    const reason = describeProblem(problem);
    const advice =
      problem.code === 'refused'
        ? ` If ${vps} has no room for another snapshot, delete one or schedule it again with a smaller --keep.`
        : '';
    const text = schedule.keep ? `${reason} Nothing was deleted.${advice}` : reason;
    return finish({ ...target, isDenied: problem.code === 'not_permitted' }, false, text);
  }

  async function followRun(schedule: Schedule, dueMs: number, target: Target, clock: Clock): Promise<Target> {
    const nowMs = clock.now();
    const run = await runs.findByRequestKey(requestKeyOf(schedule, dueMs, target));
    if (!run) return finish(target, false, 'The run is no longer stored.');
    if (run.settledMs === null) return target;
    const problem = findProblem(run);
    if (problem) return endFailed(schedule, target, run, { problem, isLate: nowMs > dueMs + maxWaitMs });
    const { result, progress } = run;
    if (schedule.keep && target.snapshot !== undefined) return { ...target, step: 'available' };
    if (progress !== null && !progress.isFinished && nowMs < dueMs + maxFollowMs) return target;
    const title = result?.kind === 'outcome' ? result.outcome.title : 'Done';
    return finish(target, true, progress?.text || title);
  }

  /** Waits until the new snapshot is complete. Only then can older ones be deleted. */
  async function awaitSnapshot(
    schedule: Schedule,
    dueMs: number,
    target: Target,
    clock: Clock,
  ): Promise<Target> {
    const nowMs = clock.now();
    const { vps, snapshot = '' } = target;
    const isLate = nowMs >= dueMs + maxFollowMs;
    const listed = await listSnapshotsOf(schedule, vps, isLate);
    if (typeof listed === 'string') {
      const text = `Snapshot ${snapshot} of ${vps} was taken. The snapshots of ${vps} couldn't be listed, so nothing was deleted. ${listed}`;
      return finish(target, false, text);
    }
    const found = listed.snapshots.find(({ name }) => name === snapshot);
    const key = { vps, name: snapshot };
    const state = found?.state;
    if (found && state === undefined) {
      const text = `Snapshot ${snapshot} of ${vps} exists, but the service doesn't say whether it's complete, so nothing was deleted.`;
      return finish(target, true, text);
    }
    if (state !== undefined && isBroken(state)) {
      await snapshots.remove(schedule.id, key);
      return finish(target, false, `Snapshot ${snapshot} of ${vps} is ${state}. Nothing was deleted.`);
    }
    if (!isComplete(state)) {
      if (!isLate) return target;
      const shown = state === undefined ? 'not in the list' : state;
      const text = `After two hours, snapshot ${snapshot} of ${vps} is still ${shown}, so nothing was deleted.`;
      return finish(target, false, text);
    }
    await snapshots.setAvailable(schedule.id, key);
    const own = (await snapshots.list(schedule.id)).filter((one) => one.vps === vps);
    const { deletions, gone, completed } = planRetention(schedule, own, listed);
    for (const name of completed) await snapshots.setAvailable(schedule.id, { vps, name });
    for (const name of gone) await snapshots.remove(schedule.id, { vps, name });
    const text = `Snapshot ${snapshot} of ${vps} is ${state}.`;
    return { ...target, step: 'delete', isOk: true, deletions, text };
  }

  async function deleteNext(
    schedule: Schedule,
    dueMs: number,
    target: Target,
    clock: Clock,
  ): Promise<Target> {
    const nowMs = clock.now();
    const [name, ...rest] = target.deletions;
    if (name === undefined) {
      const { notes, text } = target;
      return finish(
        target,
        notes.every((note) => note.startsWith('Deleted')),
        [text, ...notes].join(' '),
      );
    }
    const { vps } = target;
    const key = `schedule:${schedule.id}:${dueMs}:${vps}:delete:${name}`;
    const next = (note: string) => ({ ...target, deletions: rest, notes: [...target.notes, note] });
    if (nowMs > dueMs + maxFollowMs && !(await runs.findByRequestKey(key)))
      return next(`${name} wasn't deleted, because it's too late. The next run decides again.`);
    const reason = `Retention of schedule ${schedule.name}`;
    const requested = await request(schedule, key, deleteOperation, { vps, snapshot: name, reason });
    if (requested.kind === 'problem') return next(`${name} wasn't deleted: ${requested.problem}`);
    const { run } = requested;
    if (run.settledMs === null)
      return nowMs < dueMs + maxFollowMs
        ? target
        : next(`Couldn't tell whether ${name} was deleted. Check the snapshots of ${vps}.`);
    const problem = findProblem(run);
    if (problem) return next(`${name} wasn't deleted: ${describeProblem(problem)}`);
    await snapshots.remove(schedule.id, { vps, name });
    return next(`Deleted ${name}.`);
  }

  return async (schedule: Schedule, dueMs: number, target: Target, clock: Clock): Promise<Target> => {
    const steps = {
      start: claim,
      claim: begin,
      run: followRun,
      available: awaitSnapshot,
      delete: deleteNext,
    };
    return target.step === 'done' ? target : steps[target.step](schedule, dueMs, target, clock);
  };
}

/**
 * Returns why a settled run failed, or undefined if it didn't. If the stored problem can't be read,
 * returns a problem that says so.
 */
function findProblem({ status, result }: Run): Problem | undefined {
  if (result?.kind === 'problem') return result.problem;
  return status === 'done' ? undefined : unreadableRunProblem({ isChanging: true });
}

/** Describes why a read failed. Throws the error if a retry can help, unless it's too late for one. */
export function describeReadFailure(error: unknown, isLate: boolean): string {
  if (isStopped(error) || (!isFinal(error) && !isLate)) throw error;
  return describeProblem(toProblem(error, { isChanging: false }));
}

/** Returns whether retrying is pointless. Unreadable rows can be retried, because a newer version may read them. */
function isFinal(error: unknown): boolean {
  return error instanceof RackhandError && !error.isRetryable && !isUnreadableRow(error);
}

type RequestResult =
  | { readonly kind: 'run'; readonly run: Run }
  | { readonly kind: 'problem'; readonly problem: string };

/**
 * Creates the function that requests a run, at most once per key. The function returns the run, or the
 * problem if the request never became a run.
 */
function createRunRequest({
  runs,
  runner,
  catalogue,
}: Pick<ExecutionDependencies, 'runs' | 'runner' | 'catalogue'>) {
  return async (
    schedule: Schedule,
    requestKey: string,
    name: string,
    raw: RawInput,
  ): Promise<RequestResult> => {
    const known = await runs.findByRequestKey(requestKey);
    if (known) return { kind: 'run', run: known };
    const operation = catalogue().find(name);
    if (!operation) return { kind: 'problem', problem: `There is no command ${name} anymore.` };
    const reply = await runner().runScheduled({
      requestKey,
      operation,
      parsed: parseInput(operation, raw),
      actor: { teamId: schedule.teamId, userId: schedule.createdBy },
      origin: {
        channel: schedule.channel,
        schedule: schedule.name,
        ...(schedule.occurrence && { threadKey: toOccurrenceKey(schedule.id, schedule.occurrence.dueMs) }),
      },
      scheduleApproverId: schedule.approval?.by,
    });
    await runner().deliver(reply, async () => undefined);
    const run = await runs.findByRequestKey(requestKey);
    if (run) return { kind: 'run', run };
    const problem =
      reply.kind === 'problem' ? describeProblem(reply.problem) : 'Rackhand has no record of this run.';
    return { kind: 'problem', problem };
  };
}

function describeProblem({ message, serviceMessage }: Problem): string {
  return serviceMessage === undefined ? message : `${message} The service says: “${serviceMessage}”`;
}
