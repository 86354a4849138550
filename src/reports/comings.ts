import { callsFor } from './collection.ts';
import { periodMsOf, reportContent } from './content.ts';
import type { HoursStore } from './history/hours-store.ts';
import type { Coming } from './lead.ts';
import type { ReportMemory } from './memory-store.ts';
import type { Report } from './schedule/report.ts';

/** Finds out how many calls a time of a report takes. */
export type ComingOf = (report: Report, dueMs: number) => Promise<Coming>;

interface ComingsParts {
  readonly memory: Pick<ReportMemory, 'find'>;
  readonly hours: Pick<HoursStore, 'reaching'>;
  readonly now: () => number;
}

/** The lead of every report that is near goes by all others, at every look: what it goes by is found out about once a minute. */
const keptMs = 60_000;

/** Creates what finds out how many calls reports take. */
export function createComings({ memory, hours, now }: ComingsParts): ComingOf {
  const kept = new Map<string, { readonly coming: Promise<Coming>; readonly untilMs: number }>();

  async function findOut(report: Report, dueMs: number): Promise<Coming> {
    const last = await memory.find(report.id);
    const { vps, vpsCount } = reportContent.parse(report.content);
    const names = Object.keys(last?.vps ?? {});
    const period = { fromMs: dueMs - periodMsOf(report.recurrence), untilMs: dueMs };
    const isKept = await hours.reaching(report.teamId, period);
    return {
      dueMs,
      calls: callsFor(period, last ? names.length : vpsCount, names.filter(isKept).length),
      reads: `${periodMsOf(report.recurrence)} ${vps}`,
    };
  }

  return (report, dueMs) => {
    const nowMs = now();
    const key = `${report.id} ${report.revision} ${dueMs}`;
    const known = kept.get(key);
    if (known && known.untilMs > nowMs) return known.coming;
    for (const [old, { untilMs }] of kept) if (untilMs <= nowMs) kept.delete(old);
    const coming = findOut(report, dueMs);
    kept.set(key, { coming, untilMs: nowMs + keptMs });
    coming.catch(() => kept.delete(key));
    return coming;
  };
}
