import type { Logger } from 'pino';
import { isMember, type MemberDirectory } from '../../../auth/member-directory.ts';
import type { Clock } from '../../../jobs/clock.ts';
import type { Actor } from '../../../operations/define/access/actor.ts';
import type { Fact, Outcome } from '../../../operations/define/outcome.ts';
import type { RunStore } from '../../../runs/store/run-store.ts';
import type { ChannelPublisher } from '../channel-publisher.ts';
import { listStep, type Monitor, type MonitorKind, monitorTexts } from '../monitor/monitor.ts';
import { formatShortList } from '../text-format.ts';
import { formatPauseReason } from './format-pause.ts';
import type { PauseReason } from './pause-reason.ts';

interface PauseNotifierDependencies {
  readonly kind: MonitorKind;
  readonly store: {
    /**
     * Claims the pauses whose creators weren't notified. Pauses that another process has claimed
     * since `sinceMs` are left out.
     */
    claimUnnotified(nowMs: number, sinceMs: number): Promise<readonly Monitor[]>;
    markNotified(ids: readonly string[], nowMs: number): Promise<void>;
  };
  readonly runs: Pick<RunStore, 'addAuditEntry'>;
  readonly publisher: Pick<ChannelPublisher, 'sendDirectMessage'>;
  readonly directory: Pick<MemberDirectory, 'findMemberType'>;
  /** Lists the people to notify if a creator has left the workspace or can't be notified. */
  readonly listAdmins: (teamId: string) => Promise<readonly string[]>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

/** Notifies creators of reports or watches that Rackhand paused. */
export interface PauseNotifier {
  /**
   * Sends each person one message per reason about all new pauses. Never rejects; failures are
   * retried.
   */
  notify(): Promise<void>;
  /** Sends the notices that an earlier process left unsent. */
  start(): Promise<void>;
  stop(): void;
}

/** Another process can claim a notice that was claimed this long ago but not sent. */
const retryAfterMs = 5 * 60_000;

const adminNote = "You get this as an admin, because Rackhand can't message the creator.";
const rightsNote = 'You get this as an admin.';

/** How many names one line lists. */
const maxNames = 10;

/** Notifies the creators of paused reports or watches. */
export function createPauseNotifier({
  kind,
  store,
  runs,
  publisher,
  directory,
  listAdmins,
  clock,
  log,
}: PauseNotifierDependencies): PauseNotifier {
  let cancel = () => {};
  let isStopped = false;

  async function hasLeft(creator: Actor): Promise<boolean> {
    const type = await directory.findMemberType(creator);
    return type !== 'unknown' && !isMember(type);
  }

  async function notifyAdmins(
    { teamId, userId: createdBy }: Actor,
    outcome: Outcome,
    note: string,
  ): Promise<void> {
    const byFact: Fact = { label: 'Created by', value: { kind: 'person', person: createdBy } };
    const forAdmins = {
      ...outcome,
      facts: [...(outcome.facts ?? []), byFact],
      notes: [...(outcome.notes ?? []), note],
    };
    const admins = (await listAdmins(teamId)).filter((userId) => userId !== createdBy);
    for (const userId of admins) await publisher.sendDirectMessage({ teamId, userId }, forAdmins);
  }

  async function notifyCreator(
    creator: Actor,
    reason: PauseReason,
    monitors: readonly Monitor[],
  ): Promise<void> {
    const outcome = formatPause(kind, reason, monitors);
    // Whoever resumes it takes it over, so it's for the admins to decide.
    const isAboutRights = reason === 'creator';
    const isTold =
      !isAboutRights && !(await hasLeft(creator)) && (await publisher.sendDirectMessage(creator, outcome));
    if (!isTold) await notifyAdmins(creator, outcome, isAboutRights ? rightsNote : adminNote);
    const nowMs = clock.now();
    await store.markNotified(
      monitors.map(({ id }) => id),
      nowMs,
    );
    const target = formatNames(monitors);
    await runs.addAuditEntry({
      actor: creator,
      operation: `${kind} pause`,
      target,
      status: 'done',
      outcome,
      nowMs,
    });
  }

  function retryLater(): void {
    cancel();
    if (isStopped) return;
    cancel = clock.setTimer(clock.now() + retryAfterMs, () => void notify());
  }

  async function notify(): Promise<void> {
    const nowMs = clock.now();
    await orRetryLater(async () => {
      const unnotified = await store.claimUnnotified(nowMs, nowMs - retryAfterMs);
      for (const { creator, reason, monitors } of groupByRecipient(unnotified))
        await orRetryLater(() => notifyCreator(creator, reason, monitors));
    });
  }

  async function orRetryLater(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.warn({ err: error }, `the notice about a paused ${kind} could not be sent; retrying later`);
      retryLater();
    }
  }

  return {
    notify,
    async start() {
      retryLater();
      await notify();
    },
    stop() {
      isStopped = true;
      cancel();
    },
  };
}

function groupByRecipient(unnotified: readonly Monitor[]) {
  const paused = unnotified.flatMap((one) =>
    one.state.kind === 'paused' ? [{ one, reason: one.state.reason }] : [],
  );
  const groups = Map.groupBy(paused, ({ one, reason }) =>
    [one.teamId, one.createdBy, reason, ...(reason === 'channel' ? [one.channel] : [])].join(' '),
  );
  return [...groups.values()].flatMap(([first, ...others]) =>
    first
      ? [
          {
            creator: { teamId: first.one.teamId, userId: first.one.createdBy },
            reason: first.reason,
            monitors: [first, ...others].map(({ one }) => one),
          },
        ]
      : [],
  );
}

function formatPause(kind: MonitorKind, reason: PauseReason, monitors: readonly Monitor[]): Outcome {
  const [first] = monitors;
  const only = monitors.length === 1 ? first : undefined;
  const { one, many, list } = monitorTexts[kind];
  const input = { name: only?.name ?? '' };
  return {
    title: only ? `${one} "${only.name}" is paused` : `${monitors.length} ${many} are paused`,
    facts: [
      ...(only ? [] : [{ label: list, value: formatNames(monitors) }]),
      ...(first && (only || reason === 'channel')
        ? [{ label: 'Channel', value: { kind: 'channel', channel: first.channel } as const }]
        : []),
    ],
    notes: [formatPauseReason(reason, kind)],
    next: [
      ...(only
        ? [
            { label: 'Resume', operation: `${kind} resume`, input },
            { label: 'Edit', operation: `${kind} edit`, input, opensForm: true },
          ]
        : []),
      listStep(kind),
    ],
  };
}

function formatNames(monitors: readonly Monitor[]): string {
  return formatShortList(
    monitors.map(({ name }) => name),
    maxNames,
  );
}
