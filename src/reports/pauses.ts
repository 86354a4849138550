import type { Logger } from 'pino';
import type { Outcome } from '../operations/outcome.ts';
import type { RunStore } from '../operations/runs/run-store.ts';
import type { PauseReason, Report } from './schedule/report.ts';
import type { ReportStore } from './schedule/report-store.ts';
import type { ReportVoice } from './voice.ts';

interface PausesParts {
  readonly store: ReportStore;
  readonly runs: Pick<RunStore, 'record'>;
  readonly voice: Pick<ReportVoice, 'tellPerson'>;
  readonly now: () => number;
  readonly log: Pick<Logger, 'warn'>;
}

/** Lets reports rest that cannot come, and tells whoever planned them. */
export interface Pauses {
  /** Lets an active report rest; `false` where it does already. */
  pause: ReportStore['pause'];
  /** Tells whoever planned a report of each pause that they do not know of. */
  tell(): Promise<void>;
}

/** Creates what lets reports rest. */
export function createPauses({ store, runs, voice, now, log }: PausesParts): Pauses {
  async function tellOf(report: Report): Promise<void> {
    if (report.state.kind !== 'paused') return;
    const { id, teamId, madeBy: userId, name } = report;
    const asker = { teamId, userId };
    const outcome = describePause(report, report.state.reason);
    try {
      await voice.tellPerson(asker, outcome);
    } catch (error) {
      log.warn({ err: error, reportId: id }, 'nobody could be told that a report rests');
      return;
    }
    await store.keepTold(id, now());
    const nowMs = now();
    await runs.record({ asker, operation: 'report pause', target: name, status: 'done', outcome, nowMs });
  }

  const pauses: Pauses = {
    async pause(id, why, nowMs) {
      const isPaused = await store.pause(id, why, nowMs);
      if (isPaused && why.byUserId === null) await pauses.tell();
      return isPaused;
    },
    async tell() {
      for (const report of await store.untold()) await tellOf(report);
    },
  };
  return pauses;
}

const reasons: Readonly<Record<PauseReason, string>> = {
  person: 'Somebody paused it.',
  channel:
    'Its channel is archived or deleted, or the app is not in it any more: invite the app there and resume the report, or plan it for another channel.',
  key: 'The hosting service does not accept an API key of this workspace any more, or there is none: connect one, and resume the report.',
  schedule: 'Its times are not understood any more: delete it, and plan it anew.',
};

/** Says in a sentence why a report rests. */
export function reasonWords(reason: PauseReason): string {
  return reasons[reason];
}

function describePause({ name, channel }: Report, reason: PauseReason): Outcome {
  return {
    title: `The report "${name}" rests`,
    facts: [{ label: 'Channel', value: { channel } }],
    notes: [reasons[reason]],
    next: [
      { label: 'Resume', operation: 'report resume', input: { name } },
      { label: 'Reports', operation: 'report list', input: {} },
    ],
  };
}
