import { formatList } from '../../../../format-list.ts';
import { formatShortList } from '../../../shared/text-format.ts';
import { type MissingMetric, missingMetrics, type VpsReport } from '../vps-report.ts';

const maxNames = 5;

interface MissingGroup {
  readonly metrics: readonly MissingMetric[];
  readonly vps: readonly string[];
}

/** Groups VPS that lack the same figures. */
function groupMissing(reports: readonly VpsReport[]): readonly MissingGroup[] {
  const lacking = reports.filter((report) => report.missingMetrics.length > 0);
  return [...Map.groupBy(lacking, (report) => report.missingMetrics.join(' ')).values()].map((alike) => ({
    metrics: alike[0]?.missingMetrics ?? [],
    vps: alike.map(({ name }) => name),
  }));
}

/** Formats the metrics that the service doesn't show, for a headline: "; disk of 3 not shown". */
export function formatMissingGap(reports: readonly VpsReport[]): string {
  const groups = groupMissing(reports);
  const metrics = missingMetrics.filter((metric) => groups.some((group) => group.metrics.includes(metric)));
  if (metrics.length === 0) return '';
  const count = groups.reduce((sum, { vps }) => sum + vps.length, 0);
  const whose = count === reports.length ? '' : ` of ${count}`;
  return `; ${formatList(metrics, 'and')}${whose} not shown`;
}

/** Formats a note for each group of VPS about the metrics that could not be checked. */
export function formatMissingMetrics(reports: readonly VpsReport[]): readonly string[] {
  return groupMissing(reports).map(
    ({ metrics, vps }) =>
      `The service shows no ${formatList(metrics, 'or')} for ${formatShortList(vps, maxNames)} that Rackhand understands, so ${metrics.length === 1 ? 'this was' : 'these were'} not checked.`,
  );
}
