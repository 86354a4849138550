import { RackhandError } from '../error.ts';
import { callsFor } from './collection.ts';
import { periodMsOf, type ReportContent, reportContent } from './content.ts';
import { callsPerMinute, collectingMs, type Pace } from './pace.ts';
import type { Report, ReportPlan } from './schedule/report.ts';
import { longestLeadMs } from './schedule/scheduler.ts';
import { shortestIntervalMs } from './schedule/timetable.ts';

/** Counts the calls that a report needs at most. */
export function callsOf({ recurrence }: Pick<ReportPlan, 'recurrence'>, vpsCount: number): number {
  return callsFor({ fromMs: 0, untilMs: periodMsOf(recurrence) }, vpsCount);
}

/** Of the calls that may leave, one in ten is left for those that have to be made again. */
const plannedShare = 0.9;

/** Requires that the background lane has room for a report beside those that are planned. Throws `input_invalid` with the figure. */
export function requireRoom(
  plan: Pick<ReportPlan, 'recurrence'> & { readonly content: ReportContent },
  planned: readonly Report[],
  pace: Pace,
): void {
  const perMinute = callsPerMinute(pace) * plannedShare;
  const { vpsCount } = plan.content;
  const calls = callsOf(plan, vpsCount);
  const needs = `This report needs ${calls} calls of the API for ${vpsCount} VPS`;
  const lastsMs = collectingMs(calls, pace);
  if (lastsMs > longestLeadMs) {
    const hours = Math.ceil(lastsMs / 3_600_000);
    throw tooMuch(
      `${needs}, which take ${hours} hours at ${write(callsPerMinute(pace))} a minute, more than the 6 it may`,
    );
  }
  const own = rateOf(plan);
  const others = plannedPerMinute(planned);
  if (own + others <= perMinute) return;
  const beside = others > 0 ? `, beside ${write(others)} for the other reports` : '';
  throw tooMuch(
    `${needs}, ${write(own)} a minute as often as it comes${beside}: reports may make ${write(perMinute)} a minute`,
  );
}

/** Gives the calls a minute, in the mean, of the reports that come. */
export function plannedPerMinute(planned: readonly Report[]): number {
  return planned
    .filter(({ state }) => state.kind === 'active')
    .reduce((sum, report) => sum + rateOf(report), 0);
}

/** The calls a minute of a report; none for one that comes once. */
function rateOf({ recurrence, content }: Pick<ReportPlan, 'recurrence' | 'content'>): number {
  const everyMs = shortestIntervalMs(recurrence);
  const { vpsCount = 0 } = reportContent.safeParse(content).data ?? {};
  return everyMs === undefined ? 0 : (callsOf({ recurrence }, vpsCount) * 60_000) / everyMs;
}

function write(perMinute: number): string {
  return perMinute < 1 ? 'less than 1' : String(Math.floor(perMinute));
}

function tooMuch(words: string): RackhandError {
  return new RackhandError('input_invalid', `${words}. Name fewer VPS, or let it come less often.`);
}
