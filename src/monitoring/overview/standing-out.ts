import type { LatestSummary } from '../reports/summary/baseline-store.ts';

/** A VPS with findings in the latest report about it. */
export interface StandingOut {
  readonly vps: string;
  readonly text: string;
  /** The end of the report's period. */
  readonly untilMs: number;
}

/** Findings of older reports are left out, because they say nothing about now. */
const maxAgeMs = 48 * 3_600_000;

/**
 * Lists the VPS with findings in the latest reports. If several reports cover a VPS, the newest one
 * counts. `summaries` are sorted, newest first.
 */
export function listStandingOut(
  summaries: readonly LatestSummary[],
  isMuted: (vps: string) => boolean,
  nowMs: number,
): readonly StandingOut[] {
  const reported = new Set<string>();
  return summaries.flatMap(({ untilMs, vps, standsOut = [] }) => {
    if (nowMs - untilMs > maxAgeMs) return [];
    const found = standsOut.filter((finding) => !reported.has(finding.vps) && !isMuted(finding.vps));
    for (const name of Object.keys(vps)) reported.add(name);
    return found.map((finding) => ({ ...finding, untilMs }));
  });
}
