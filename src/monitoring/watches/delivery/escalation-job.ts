import { z } from 'zod';
import type { Recipients } from '../../../auth/recipients.ts';
import type { Database } from '../../../db/engines/database.ts';
import type { JobKind, JobQueue, JobResult } from '../../../jobs/job-kind.ts';
import type { Jobs } from '../../../jobs/jobs.ts';
import type { Outbox } from '../../../messages/outbox.ts';
import { createPostOutcome } from '../../../messages/post-outcome.ts';
import type { LabelVpsFor } from '../../../runs/team-labels.ts';
import { ageMsOf } from '../../../time/age.ts';
import { type Alert, type AlertResponse, isAlertOpen } from '../evaluation/alert.ts';
import type { Escalation, Watch } from '../watch.ts';
import type { WatchStore } from '../watch-store.ts';
import { onlyPeople, toBeganMs, toThread, toWatchId } from './alert-notifier.ts';
import { type FindChangeFacts, formatEscalation, formatOptionsOf } from './format-alert.ts';

const payload = z.object({ beganMs: z.number() });

type Payload = z.infer<typeof payload>;

interface EscalationJobDependencies {
  readonly jobs: Pick<Jobs, 'clock' | 'define'>;
  readonly store: Pick<WatchStore, 'get' | 'changeAlert'>;
  readonly outbox: Pick<Outbox, 'put' | 'transact' | 'onGivenUp' | 'onMoved'>;
  readonly recipients: Pick<Recipients, 'findProblem'>;
  readonly labelVpsFor: LabelVpsFor;
  readonly findChangeFacts: FindChangeFacts;
  /** Returns false if the workspace is suspended. */
  readonly isActive: (teamId: string) => Promise<boolean>;
  /** Returns whether watches are silent about all of these VPS. If they are, the escalation waits. */
  readonly isSilentAbout: (teamId: string, vps: readonly string[]) => Promise<boolean>;
  readonly refresh: (watch: Watch) => Promise<void>;
}

export const escalationKind = 'escalation';

/** How often the job checks whether the maintenance or suspension it waits for has ended. */
const waitMs = 60_000;

/** Creates the job that pings an alert's escalation recipient once, unless the alert is acknowledged or ends first. */
export function createEscalationJob(dependencies: EscalationJobDependencies) {
  const { jobs, store, outbox, recipients, isActive, isSilentAbout, refresh } = dependencies;
  const { clock } = jobs;
  const post = createPostOutcome(outbox);

  /** Builds the escalation's message. `ping` is undefined if the recipient can't be notified. */
  async function build(watch: Watch, alert: Alert, { afterMs, to }: Escalation) {
    const options = await formatOptionsOf(watch, alert, { ...dependencies, clock });
    const problem = await recipients.findProblem(watch.teamId, to);
    const escalation = formatEscalation(options, afterMs);
    const outcome = {
      ...escalation,
      notes: [
        ...(problem === undefined
          ? []
          : [`No one else was paged: ${problem}. Edit the watch to page someone else.`]),
      ],
    };
    return { outcome, ping: problem === undefined ? to : undefined };
  }

  async function send(watch: Watch, alert: Alert, escalation: Escalation): Promise<void> {
    const { outcome, ping } = await build(watch, alert, escalation);
    const { id, createdBy } = watch;
    const { beganMs } = alert;
    const to = { ...toThread(watch, alert), fallbacks: onlyPeople(escalation.to, createdBy) };
    const changed = await outbox.transact(async (transaction) => {
      const escalated = await store.changeAlert(
        id,
        beganMs,
        (current) =>
          current.response.acknowledged || current.response.escalation
            ? undefined
            : withEscalation(current, ping === undefined ? 'failed' : 'sent'),
        transaction,
      );
      const options = { kind: escalationKind, ping, creator: createdBy, transaction };
      if (escalated) await post(`${escalationKind}:${id}:${beganMs}`, to, outcome, options);
      return escalated;
    });
    if (changed) await refresh(changed);
  }

  const fail = (key: string, transaction: Database) =>
    store.changeAlert(
      toWatchId(key),
      toBeganMs(key),
      (alert) => withEscalation(alert, 'failed'),
      transaction,
    );

  outbox.onGivenUp(escalationKind, async ({ key }, _reason, transaction) => {
    await fail(key, transaction);
    return false;
  });
  outbox.onMoved(escalationKind, async ({ key }, person, transaction) => {
    const watch = await store.get(toWatchId(key), transaction);
    if (watch?.escalation?.to !== person) await fail(key, transaction);
  });

  async function escalate(id: string, { beganMs }: Payload): Promise<JobResult<Payload>> {
    const watch = await store.get(id);
    const alert = watch?.alertState.alert;
    if (!watch?.escalation || watch.state.kind !== 'active') return { kind: 'done' };
    if (alert?.beganMs !== beganMs || !isAlertOpen(alert)) return { kind: 'done' };
    const { acknowledged, escalation: result, postedMs } = alert.response;
    if (result || acknowledged || postedMs === null) return { kind: 'done' };
    const { afterMs } = watch.escalation;
    if (ageMsOf(postedMs, clock.now()) < afterMs) return { kind: 'wait', atMs: postedMs + afterMs };
    const { teamId } = watch;
    if (!(await isActive(teamId)) || (await isSilentAbout(teamId, listOpenVps(alert))))
      return { kind: 'wait', atMs: clock.now() + waitMs };
    await send(watch, alert, watch.escalation);
    return { kind: 'done' };
  }

  const kind: JobKind<Payload> = {
    name: 'alert-escalation',
    payload,
    retry: { firstMs: 10_000, maxMs: 5 * 60_000 },
    concurrency: 10,
    handle: ({ id, payload: stored }) => escalate(id, stored),
  };
  const queue: JobQueue<Payload> = jobs.define(kind);

  return {
    /** Schedules the escalation of an alert posted in the same transaction. */
    async schedule(
      { id, teamId, escalation }: Watch,
      { beganMs }: Alert,
      transaction: Database,
    ): Promise<void> {
      if (!escalation) return;
      const dueMs = clock.now() + escalation.afterMs;
      await queue.schedule({ id, teamId, payload: { beganMs }, dueMs }, transaction);
    },
  };
}

function listOpenVps({ members }: Alert): readonly string[] {
  return Object.entries(members).flatMap(([vps, { endedMs }]) => (endedMs === null ? [vps] : []));
}

function withEscalation(alert: Alert, escalation: AlertResponse['escalation']): Alert {
  return { ...alert, isStale: true, response: { ...alert.response, escalation } };
}
