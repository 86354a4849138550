import { registerHooks } from 'node:module';
import type { Scenario } from './scenario.ts';

/** A guard of Rackhand that is taken out of its source, to prove that the checker notices. */
export interface Sabotage {
  /** The end of the file's path. */
  readonly file: string;
  readonly search: string;
  readonly replacement: string;
  /** Whether the guard can matter in a scenario. Others aren't simulated. */
  readonly matters?: (scenario: Scenario) => boolean;
  /** The first seed to try: shortly before one that failed when this was written. Defaults to 1. */
  readonly from?: number;
  /** How many seeds are tried. More than needed, because a change of the code changes what they do. */
  readonly within: number;
  /** What the checker then says. Anything, if missing. */
  readonly violation?: RegExp;
}

export const sabotages: Readonly<Record<string, Sabotage>> = {
  /** Marks a run as sent whatever its state is, and whoever owns it. */
  'sent-compare-and-set': {
    file: 'src/runs/store/run-store.ts',
    search: `.where('status', '=', from)
            .where('owner', '=', owner)
            .where('not_after', '>', nowMs)`,
    replacement: '',
    from: 375,
    within: 80,
  },
  /** Takes over runs of processes that are alive. */
  'run-lease': {
    file: 'src/runs/store/run-leases.ts',
    search: ".where('lease_until', '<', leaseBeforeMs)",
    replacement: '',
    matters: ({ processCount }) => processCount > 1,
    from: 45,
    within: 60,
    violation: /reported as unknown/,
  },
  /** Holds a slot for half of the window. */
  'quota-hold': {
    file: 'src/hosting/quota/quota-timing.ts',
    search: 'const holdMs = windowMs + ',
    replacement: 'const holdMs = windowMs / 2 + ',
    within: 10,
  },
  /** Sends a run although its requester has lost the right. */
  'second-authorization': {
    file: 'src/runs/pipeline/sending/send.ts',
    search: 'await authorizeAgain(change, services);',
    replacement: '',
    matters: ({ hasRevocation }) => hasRevocation,
    from: 165,
    within: 100,
  },
  /** Puts the calls of all people into one queue. */
  'line-per-person': {
    file: 'src/hosting/quota/key-limiter.ts',
    search: 'limiters.takeTurn(',
    replacement: 'limiters.takeTurn(call.lane || ',
    matters: ({ hasCompetition }) => hasCompetition,
    from: 180,
    within: 70,
  },
  /** Doesn't record that a message is about to be posted. */
  'posting-mark': {
    file: 'src/messages/send-message.ts',
    search: "message.postingMs === null ? 'notFound'",
    replacement: "message.postingMs !== 0 ? 'notFound'",
    matters: ({ crashRate, slackFaultRate }) => crashRate > 0 && slackFaultRate > 0,
    within: 100,
    violation: /stands \d times/,
  },
  /** Drops an occurrence that came due while no process was able to post it. */
  'missed-occurrence': {
    file: 'src/monitoring/reports/report-job.ts',
    search: 'const catchUpShare = 1 / 4;',
    replacement: 'const catchUpShare = 0;',
    matters: ({ reportCount, crashRate, hasClockChange }) =>
      reportCount > 0 && crashRate > 0 && !hasClockChange,
    within: 50,
    violation: /lost their first occurrence/,
  },
  /** Sends the parts of a batch that were queued when a person stopped it. */
  'batch-stop': {
    file: 'src/runs/store/run-store.ts',
    search: ", eb('stopped_by', 'is not', null)",
    replacement: '',
    matters: ({ batchSize }) => batchSize > 0,
    from: 345,
    within: 100,
    violation: /after it was stopped/,
  },
  /** Begins parts of a batch with a pace although another part has failed. */
  'batch-pace': {
    file: 'src/runs/parts/plan-batch.ts',
    search: 'if (atATime !== undefined && failed)',
    replacement: 'if (false && failed)',
    matters: ({ batchSize, batchPace }) => batchSize > 0 && batchPace > 0,
    from: 300,
    within: 50,
    violation: /after another one had failed/,
  },
  /** Treats a run with parts like one whose call was interrupted, instead of continuing it. */
  'parts-continuation': {
    file: 'src/runs/run-reaper.ts',
    search: '|| hasParts(change)',
    replacement: '',
    matters: ({ batchSize, crashRate, stopCount }) => batchSize > 0 && (crashRate > 0 || stopCount > 0),
    within: 50,
    violation: /lost its parts/,
  },
  /** Makes a change although the snapshot before it is broken. */
  'snapshot-complete': {
    file: 'src/runs/parts/decide-next.ts',
    search: 'if (progress.isEndUnknown || !isComplete(progress.state))',
    replacement: 'if (progress.isEndUnknown)',
    matters: ({ restoreCount }) => restoreCount > 0,
    from: 60,
    within: 50,
    violation: /without a complete snapshot/,
  },
  /** Repeats a change of a schedule although it isn't known whether its call was sent. */
  'schedule-attempt': {
    file: 'src/schedules/execution/target-steps.ts',
    search: "problem.code === 'stopped' && !wasSent && !isLate",
    replacement: "problem.code === 'stopped' && !isLate",
    matters: ({ scheduleCount, crashRate, hasClockChange }) =>
      scheduleCount > 0 && crashRate > 0 && !hasClockChange,
    from: 140,
    within: 50,
    violation: /was sent to VPS-\d+ 2 times/,
  },
  /** Doesn't post the result of an occurrence. */
  'schedule-result': {
    file: 'src/schedules/schedule-job.ts',
    search: 'await tell(told, token, occurrence.dueMs, done.outcome);',
    replacement: '',
    matters: ({ scheduleCount }) => scheduleCount > 0,
    within: 50,
    violation: /told nobody about its occurrence/,
  },
  /** Begins a target although a person has paused its schedule. */
  'schedule-pause': {
    file: 'src/schedules/execution/target-steps.ts',
    search: "if (state === 'paused')",
    replacement: 'if (false)',
    matters: ({ hasPausedSchedule }) => hasPausedSchedule,
    from: 75,
    within: 80,
    violation: /after it was paused/,
  },
};

/** Changes the source of a file when it is loaded. Throws there if the file no longer contains the text. */
export function applySabotage({ file, search, replacement }: Sabotage): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.endsWith(file)) return loaded;
      const source = String(loaded.source);
      if (!source.includes(search)) throw new Error(`${file} no longer contains: ${search}`);
      return { ...loaded, source: source.replaceAll(search, replacement) };
    },
  });
}
