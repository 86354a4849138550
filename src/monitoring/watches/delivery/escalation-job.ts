import type { Logger } from 'pino';
import { z } from 'zod';
import type { Recipients } from '../../../auth/recipients.ts';
import type { JobKind, JobQueue, JobResult } from '../../../jobs/job-kind.ts';
import type { Jobs } from '../../../jobs/jobs.ts';
import type { LabelVpsFor } from '../../../runs/team-labels.ts';
import { ageMsOf } from '../../../time/age.ts';
import { type Incident, type IncidentResponse, isIncidentOpen } from '../evaluation/incident.ts';
import type { Escalation, Watch } from '../watch.ts';
import type { WatchStore } from '../watch-store.ts';
import { formatEscalation } from './format-incident.ts';
import { formatOptionsOf } from './format-options.ts';
import type { EscalationKey, IncidentPublisher } from './incident-publisher.ts';

const payload = z.object({
  beganMs: z.number(),
  /** How often posting has failed, so that the message could have arrived all the same. */
  failedPosts: z.int().default(0),
});

type Payload = z.infer<typeof payload>;

/** An escalation of an incident whose message was posted. */
interface DueEscalation {
  readonly watch: Watch;
  readonly incident: Incident;
  /** The message of the incident. */
  readonly messageTs: string;
  readonly key: EscalationKey;
  readonly escalation: Escalation;
}

interface EscalationJobDependencies {
  readonly jobs: Pick<Jobs, 'clock' | 'define'>;
  readonly store: Pick<WatchStore, 'get' | 'changeIncident'>;
  readonly publisher: Pick<IncidentPublisher, 'replyInThread' | 'findEscalation'>;
  readonly recipients: Pick<Recipients, 'findProblem'>;
  readonly labelVpsFor: LabelVpsFor;
  /** Returns whether watches are silent about all of these VPS, so that the escalation waits. */
  readonly isSilentAbout: (teamId: string, vps: readonly string[]) => Promise<boolean>;
  /** Shows the escalation in the message of the incident. */
  readonly refresh: (watch: Watch) => Promise<void>;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * How often the job checks whether the incident's message has been posted, and whether maintenance
 * has ended.
 */
const waitMs = 60_000;

/** How often an escalation is posted if Slack doesn't confirm it and the app can't read the channel. */
const maxUnconfirmedPosts = 3;

const possibleRepeatNote =
  "This may be a repeat: Slack didn't confirm the first message, and Rackhand can't check whether it was posted.";

/**
 * Pings the person or group to escalate to, unless the incident was acknowledged or has ended.
 * Pings once. If Slack doesn't confirm the message, it is posted again, unless it is in the thread.
 */
export function createEscalationJob(dependencies: EscalationJobDependencies) {
  const { jobs, store, publisher, recipients, labelVpsFor, isSilentAbout, refresh, log } = dependencies;
  const { clock } = jobs;

  const saveResult = (watch: Watch, beganMs: number, escalation: IncidentResponse['escalation']) =>
    store.changeIncident(watch.id, beganMs, (incident) => withEscalation(incident, escalation));

  /** Marks the escalation as being sent. Returns undefined if it must not be sent anymore. */
  const claim = (id: string, beganMs: number) =>
    store.changeIncident(id, beganMs, (incident) =>
      incident.response.acknowledged || incident.response.escalation
        ? undefined
        : withEscalation(incident, 'sending'),
    );

  /** Builds the message, and finds out whom to ping: nobody, if the recipient can't be notified. */
  async function build(
    watch: Watch,
    incident: Incident,
    { afterMs, to }: Escalation,
    repeatNotes: readonly string[],
  ) {
    const options = await formatOptionsOf(watch, incident, { recipients, labelVpsFor, clock });
    const problem = await recipients.findProblem(watch.teamId, to);
    const escalation = formatEscalation(options, afterMs);
    const outcome = {
      ...escalation,
      notes: [
        ...repeatNotes,
        ...(problem === undefined
          ? []
          : [`No one else was notified: ${problem}. Edit the watch to escalate to someone else.`]),
      ],
    };
    return { outcome, ping: problem === undefined ? to : undefined };
  }

  async function end(watch: Watch, beganMs: number, escalation: 'sent' | 'failed' | 'unknown') {
    const saved = await saveResult(watch, beganMs, escalation);
    if (saved) await refresh(saved);
    return { kind: 'done' } as const;
  }

  /** Ends an escalation whose message was found in the thread. */
  async function endFound(watch: Watch, beganMs: number, { to }: Escalation) {
    const problem = await recipients.findProblem(watch.teamId, to);
    return end(watch, beganMs, problem === undefined ? 'sent' : 'failed');
  }

  /** Continues an escalation whose process ended while it was sending. */
  async function resolveInterrupted(due: DueEscalation): Promise<JobResult<Payload>> {
    const { watch, messageTs, key, escalation } = due;
    const found = await publisher.findEscalation(watch, messageTs, key);
    if (found.kind === 'found') return endFound(watch, key.beganMs, escalation);
    if (found.kind === 'unreadable') return end(watch, key.beganMs, 'unknown');
    await saveResult(watch, key.beganMs, null);
    return { kind: 'wait', atMs: clock.now() };
  }

  /** Sends an escalation that is due, and records the result. */
  async function sendDue(due: DueEscalation, failedPosts: number): Promise<JobResult<Payload>> {
    const { watch, incident, messageTs, key, escalation } = due;
    const { id } = watch;
    const { beganMs } = incident;
    const found = failedPosts > 0 ? await publisher.findEscalation(watch, messageTs, key) : undefined;
    if (found?.kind === 'found') return endFound(watch, beganMs, escalation);
    const mayRepeat = found?.kind === 'unreadable';
    if (mayRepeat && failedPosts >= maxUnconfirmedPosts) return end(watch, beganMs, 'unknown');
    // Built before the claim, so that a failure doesn't lose the escalation.
    const message = await build(watch, incident, escalation, mayRepeat ? [possibleRepeatNote] : []);
    if (!(await claim(id, beganMs))) return { kind: 'done' };
    const sent = await publisher.replyInThread(watch, messageTs, message, key).catch((error: unknown) => {
      log.warn({ err: error, watchId: id }, 'it is unknown whether an escalation was posted; retrying');
      return undefined;
    });
    if (sent && sent.kind !== 'rateLimited')
      return end(watch, beganMs, sent.kind === 'posted' && message.ping !== undefined ? 'sent' : 'failed');
    await saveResult(watch, beganMs, null);
    if (sent) return { kind: 'wait', atMs: clock.now() + sent.retryInMs };
    return {
      kind: 'repeat',
      atMs: clock.now() + waitMs,
      payload: { beganMs, failedPosts: failedPosts + 1 },
    };
  }

  async function escalate(id: string, { beganMs, failedPosts }: Payload): Promise<JobResult<Payload>> {
    const watch = await store.get(id);
    const incident = watch?.alertState.incident;
    if (!watch?.escalation || watch.state.kind !== 'active') return { kind: 'done' };
    if (incident?.beganMs !== beganMs || !isIncidentOpen(incident)) return { kind: 'done' };
    const { messageTs } = watch.alertState;
    const { postedMs } = incident.response;
    if (messageTs === null || postedMs === null) return { kind: 'wait', atMs: clock.now() + waitMs };
    const key = { watchId: id, beganMs, sinceMs: postedMs };
    return escalateIncident({ watch, incident, messageTs, key, escalation: watch.escalation }, failedPosts);
  }

  async function escalateIncident(due: DueEscalation, failedPosts: number): Promise<JobResult<Payload>> {
    const { watch, incident, key, escalation } = due;
    const { acknowledged, escalation: result } = incident.response;
    if (result === 'sending') return resolveInterrupted(due);
    if (result || acknowledged) return { kind: 'done' };
    const isDue = ageMsOf(key.sinceMs, clock.now()) >= escalation.afterMs;
    if (!isDue) return { kind: 'wait', atMs: key.sinceMs + escalation.afterMs };
    return (await isSilentAbout(watch.teamId, listOpenVps(incident)))
      ? { kind: 'wait', atMs: clock.now() + waitMs }
      : sendDue(due, failedPosts);
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
    /** Plans the escalation of an incident that is about to be posted. */
    async schedule({ id, teamId, escalation }: Watch, { beganMs }: Incident): Promise<void> {
      if (!escalation) return;
      const dueMs = clock.now() + escalation.afterMs;
      await queue.schedule({ id, teamId, payload: { beganMs, failedPosts: 0 }, dueMs });
    },
  };
}

function listOpenVps({ members }: Incident): readonly string[] {
  return Object.entries(members).flatMap(([vps, { endedMs }]) => (endedMs === null ? [vps] : []));
}

function withEscalation(incident: Incident, escalation: IncidentResponse['escalation']): Incident {
  return { ...incident, isStale: true, response: { ...incident.response, escalation } };
}
