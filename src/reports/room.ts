import { RackhandError } from '../error.ts';
import { callsFor } from './collection.ts';
import { periodMsOf, type ReportContent, reportContent } from './content.ts';
import { callsPerMinute, collectingMs } from './pace.ts';
import type { Report, ReportPlan } from './schedule/report.ts';
import { longestLeadMs } from './schedule/scheduler.ts';
import { shortestIntervalMs } from './schedule/timetable.ts';

/** Counts the calls that a report needs at most. */
export function callsOf({ recurrence }: Pick<ReportPlan, 'recurrence'>, vpsCount: number): number {
  return callsFor({ fromMs: 0, untilMs: periodMsOf(recurrence) }, vpsCount);
}

/**
 * Requires that the background lane, in which `perMinute` calls a minute may leave, has room for a report beside those that are planned. Throws
 * `input_invalid` with the figure.
 */
export function requireRoom(
  plan: Pick<ReportPlan, 'recurrence'> & { readonly content: ReportContent },
  planned: readonly Report[],
  perMinute: number,
): void {
  const { vpsCount } = plan.content;
  const calls = callsOf(plan, vpsCount);
  const needs = `This report needs ${calls} calls of the API for ${vpsCount} VPS`;
  const lastsMs = collectingMs(calls, perMinute);
  if (lastsMs > longestLeadMs) {
    const hours = Math.ceil(lastsMs / 3_600_000);
    throw tooMuch(`${needs}, which take ${hours} hours at ${perMinute} a minute, more than the 6 it may`);
  }
  const own = rateOf(plan);
  const others = planned
    .filter(({ state }) => state.kind === 'active')
    .reduce((sum, report) => sum + rateOf(report), 0);
  if (own + others <= perMinute) return;
  const beside = others > 0 ? `, beside ${write(others)} for the other reports` : '';
  throw tooMuch(
    `${needs}, ${write(own)} a minute as often as it comes${beside}: reports may make ${perMinute} a minute`,
  );
}

/** The calls a minute of a report; none for one that comes once. */
function rateOf({ recurrence, content }: Pick<ReportPlan, 'recurrence' | 'content'>): number {
  const everyMs = shortestIntervalMs(recurrence);
  const { vpsCount = 0 } = reportContent.safeParse(content).data ?? {};
  return everyMs === undefined ? 0 : callsPerMinute(callsOf({ recurrence }, vpsCount), everyMs);
}

function write(perMinute: number): string {
  return perMinute < 1 ? 'less than 1' : String(Math.round(perMinute));
}

function tooMuch(words: string): RackhandError {
  return new RackhandError('input_invalid', `${words}. Name fewer VPS, or let it come less often.`);
}
