import type { Finding } from './finding.ts';
import type { Reported } from './reported.ts';
import type { VpsReport } from './vps-report.ts';

/** A VPS of a summary, with what stands out about it and is not muted. */
export interface Ranked {
  readonly report: VpsReport;
  /** The worst first. */
  readonly findings: readonly Finding[];
  /** Until when what stands out about it is muted. */
  readonly mutedUntilMs?: number;
}

/** What is known from before. */
export interface Before {
  readonly last?: Reported | undefined;
  /** Until when VPS are muted, by their names. */
  readonly muted?: ReadonlyMap<string, number> | undefined;
}

/** A state that was told the last time is worse than what is unusual, and less than anything else. */
const stillSeverity = 0.395;

/** Gives what stands out about a VPS and is not muted, the worst first; what is only still so comes after what is new. */
export function unmuted({ name, state, findings }: VpsReport, { last, muted }: Before): readonly Finding[] {
  if (muted?.has(name)) return [];
  const isStill = state !== undefined && last?.vps[name]?.state === state;
  return findings
    .map((finding) => {
      if (!isStill || finding.kind !== 'state') return finding;
      const severity = Math.min(finding.severity, stillSeverity);
      return { ...finding, severity, words: `still ${finding.words}` };
    })
    .toSorted((a, b) => b.severity - a.severity);
}

/** Puts reports in order: what stands out by how bad it is, then what could not be read, then the rest by its CPU. */
export function rank(reports: readonly VpsReport[], before: Before): readonly Ranked[] {
  const ranked = reports.map((report): Ranked => {
    const findings = unmuted(report, before);
    const untilMs = findings.length < report.findings.length ? before.muted?.get(report.name) : undefined;
    return { report, findings, ...(untilMs !== undefined && { mutedUntilMs: untilMs }) };
  });
  return ranked.toSorted(
    (a, b) =>
      badnessOf(b) - badnessOf(a) ||
      b.report.unread.length - a.report.unread.length ||
      cpuOf(b) - cpuOf(a) ||
      a.report.name.localeCompare(b.report.name, 'en', { numeric: true }),
  );
}

/** Puts a ranking in the order of a picture of CPU: what stands out by its CPU first, then the busiest. */
export function byCpu(ranked: readonly Ranked[]): readonly Ranked[] {
  const badness = ({ findings }: Ranked) =>
    findings.find(({ kind }) => kind === 'cpu' || kind === 'change')?.severity ?? 0;
  return ranked.toSorted((a, b) => badness(b) - badness(a) || cpuOf(b) - cpuOf(a));
}

/** The worst finding decides; what comes beside it, between equals. */
function badnessOf({ findings: [worst, ...others] }: Ranked): number {
  return worst ? worst.severity + others.length / 1_000 : 0;
}

function cpuOf({ report: { cpu } }: Ranked): number {
  return cpu?.mean ?? cpu?.latest ?? -1;
}
