import type { Logger } from 'pino';
import { z } from 'zod';
import type { Recipients } from '../../../auth/recipients.ts';
import { defaultLeaseMs, type JobKind, type JobResult } from '../../../jobs/job-kind.ts';
import type { JobQueue } from '../../../jobs/job-queue.ts';
import type { Jobs } from '../../../jobs/jobs.ts';
import type { LabelVpsFor } from '../../../runs/team-labels.ts';
import { type Incident, type IncidentResponse, isIncidentOpen } from '../evaluation/incident.ts';
import { maxEscalateMs } from '../planning/watch-arguments.ts';
import type { Escalation, Watch } from '../watch.ts';
import type { WatchStore } from '../watch-store.ts';
import { formatEscalation } from './format-incident.ts';
import { formatOptionsOf } from './format-options.ts';
import type { IncidentPublisher } from './incident-publisher.ts';

const payload = z.object({ beganMs: z.number() });

type Payload = z.infer<typeof payload>;

interface EscalationJobDependencies {
  readonly jobs: Pick<Jobs, 'clock' | 'define'>;
  readonly store: Pick<WatchStore, 'get' | 'changeIncident'>;
  readonly publisher: Pick<IncidentPublisher, 'replyInThread'>;
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

/**
 * Pings the person or group to escalate to, unless the incident was acknowledged or has ended.
 * Pings at most once, and once more each time that someone takes back an acknowledgement.
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
  async function build(watch: Watch, incident: Incident, { afterMs, to }: Escalation) {
    const options = await formatOptionsOf(watch, incident, { recipients, labelVpsFor, clock });
    const problem = await recipients.findProblem(watch.teamId, to);
    const { title, notes = [] } = formatEscalation(options, afterMs);
    const outcome = {
      title,
      notes: [
        ...(problem === undefined
          ? []
          : [`No one else was notified: ${problem}. Edit the watch to escalate to someone else.`]),
        ...notes,
      ],
    };
    return { outcome, ping: problem === undefined ? to : undefined };
  }

  /** Sends an escalation that is due, and records the result. */
  async function sendDue(
    watch: Watch,
    incident: Incident,
    messageTs: string,
    dueEscalation: Escalation,
  ): Promise<JobResult<Payload>> {
    const { id } = watch;
    const { beganMs } = incident;
    // Built before the claim, so that a failure doesn't lose the escalation.
    const message = await build(watch, incident, dueEscalation);
    if (!(await claim(id, beganMs))) return { kind: 'done' };
    const sent = await publisher.replyInThread(watch, messageTs, message).catch((error: unknown) => {
      log.warn({ err: error, watchId: id }, 'it is unknown whether an escalation was posted');
      return undefined;
    });
    if (sent?.kind === 'rateLimited') {
      await saveResult(watch, beganMs, null);
      return { kind: 'wait', atMs: clock.now() + sent.retryInMs };
    }
    const isSent = sent?.kind === 'posted' && message.ping !== undefined;
    const saved = await saveResult(watch, beganMs, isSent ? 'sent' : sent ? 'failed' : 'unknown');
    if (saved) await refresh(saved);
    return { kind: 'done' };
  }

  async function escalate(id: string, beganMs: number): Promise<JobResult<Payload>> {
    const watch = await store.get(id);
    const incident = watch?.alertState.incident;
    if (!watch?.escalation || watch.state.kind !== 'active') return { kind: 'done' };
    if (incident?.beganMs !== beganMs || !isIncidentOpen(incident)) return { kind: 'done' };
    const { acknowledged, escalation, postedMs, unacknowledgedMs } = incident.response;
    // An earlier attempt was interrupted while sending.
    if (escalation === 'sending') await saveResult(watch, beganMs, 'unknown');
    if (acknowledged || escalation) return { kind: 'done' };
    const { messageTs } = watch.alertState;
    if (messageTs === null || postedMs === null) return { kind: 'wait', atMs: clock.now() + waitMs };
    const dueMs = (unacknowledgedMs ?? postedMs) + watch.escalation.afterMs;
    if (clock.now() < dueMs) return { kind: 'wait', atMs: dueMs };
    return (await isSilentAbout(watch.teamId, listOpenVps(incident)))
      ? { kind: 'wait', atMs: clock.now() + waitMs }
      : sendDue(watch, incident, messageTs, watch.escalation);
  }

  const kind: JobKind<Payload> = {
    name: 'alert-escalation',
    payload,
    leaseMs: defaultLeaseMs,
    retry: { firstMs: 10_000, maxMs: 5 * 60_000 },
    concurrency: { perProcess: 10, perWorkspace: 2 },
    maxAheadMs: maxEscalateMs,
    handle: ({ id, payload: { beganMs } }) => escalate(id, beganMs),
  };
  const queue: JobQueue<Payload> = jobs.define(kind);

  return {
    /** Plans the escalation of an incident that is about to be posted or unacknowledged. */
    async schedule({ id, teamId, escalation }: Watch, { beganMs }: Incident): Promise<void> {
      if (!escalation) return;
      await queue.schedule({ id, teamId, payload: { beganMs }, dueMs: clock.now() + escalation.afterMs });
    },
  };
}

function listOpenVps({ members }: Incident): readonly string[] {
  return Object.entries(members).flatMap(([vps, { endedMs }]) => (endedMs === null ? [vps] : []));
}

function withEscalation(incident: Incident, escalation: IncidentResponse['escalation']): Incident {
  return { ...incident, isStale: true, response: { ...incident.response, escalation } };
}
