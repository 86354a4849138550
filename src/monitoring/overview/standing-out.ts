import type { LatestSummary } from '../reports/summary/baseline-store.ts';

/** A VPS that the latest report about it called out. */
export interface StandingOut {
  readonly vps: string;
  readonly text: string;
  /** The end of the period on which the report was made. */
  readonly untilMs: number;
}

/** Findings of older reports are left out, because they say nothing about now. */
const maxAgeMs = 48 * 3_600_000;

/**
 * Lists what the latest reports called out. If several reports have a VPS, the newest one counts.
 * `summaries` are sorted, newest first.
 */
export function listStandingOut(
  summaries: readonly LatestSummary[],
  muted: ReadonlyMap<string, number>,
  nowMs: number,
): readonly StandingOut[] {
  const reported = new Set(muted.keys());
  return summaries.flatMap(({ untilMs, vps, standsOut = [] }) => {
    if (nowMs - untilMs > maxAgeMs) return [];
    const found = standsOut.filter((finding) => !reported.has(finding.vps));
    for (const name of Object.keys(vps)) reported.add(name);
    return found.map((finding) => ({ ...finding, untilMs }));
  });
}
