import type { Finding } from '../../findings/finding.ts';
import type { ReportBaseline } from '../baseline.ts';
import type { VpsReport } from '../vps-report.ts';

/** A VPS with its unmuted findings. */
export interface RankedVps {
  readonly report: VpsReport;
  /** Worst first. */
  readonly findings: readonly Finding[];
  /** When the VPS's maintenance ends, in epoch ms. Set only if the maintenance hides findings. */
  readonly mutedUntilMs?: number;
}

/** What determines a VPS's rank besides its findings. */
export interface RankingContext {
  readonly last?: ReportBaseline | undefined;
  /** When maintenance ends (epoch ms), by the name of each VPS in maintenance. */
  readonly inMaintenance?: ReadonlyMap<string, number> | undefined;
}

/** Maximum severity of a state that was already reported: above unusual load, below everything else. */
const unchangedStateSeverity = 0.395;

/** Returns the unmuted findings, worst first. A state that was already reported is less severe. */
export function unmutedFindings(
  { name, state, findings }: VpsReport,
  { last, inMaintenance }: RankingContext,
): readonly Finding[] {
  if (inMaintenance?.has(name)) return [];
  const isStill = state !== undefined && last?.vps[name]?.state === state;
  return findings
    .map((finding) => {
      if (!isStill || finding.kind !== 'state') return finding;
      const severity = Math.min(finding.severity, unchangedStateSeverity);
      return { ...finding, severity, summary: `still ${finding.summary}` };
    })
    .toSorted((a, b) => b.severity - a.severity);
}

/** Sorts VPS by severity, then by failed readings, then by CPU. */
export function rankReports(reports: readonly VpsReport[], before: RankingContext): readonly RankedVps[] {
  const ranked = reports.map((report): RankedVps => {
    const findings = unmutedFindings(report, before);
    if (findings.length === report.findings.length) return { report, findings };
    const mutedUntilMs = before.inMaintenance?.get(report.name);
    return { report, findings, ...(mutedUntilMs !== undefined && { mutedUntilMs }) };
  });
  return ranked.toSorted(
    (a, b) =>
      totalSeverity(b) - totalSeverity(a) ||
      b.report.readFailures.length - a.report.readFailures.length ||
      meanCpu(b) - meanCpu(a) ||
      a.report.name.localeCompare(b.report.name, 'en', { numeric: true }),
  );
}

/** Sorts VPS for the CPU chart: CPU findings first, then by CPU. */
export function sortByCpu(ranked: readonly RankedVps[]): readonly RankedVps[] {
  const badness = ({ findings }: RankedVps) =>
    findings.find(({ kind }) => kind === 'cpu' || kind === 'change')?.severity ?? 0;
  return ranked.toSorted((a, b) => badness(b) - badness(a) || meanCpu(b) - meanCpu(a));
}

/** Returns the severity of a VPS's worst finding. The number of other findings breaks ties. */
function totalSeverity({ findings: [worst, ...others] }: RankedVps): number {
  return worst ? worst.severity + others.length / 1_000 : 0;
}

function meanCpu({ report: { cpu } }: RankedVps): number {
  return cpu?.mean ?? cpu?.latest ?? -1;
}
