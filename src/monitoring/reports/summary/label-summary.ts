import {
  createVpsLabeler,
  labelOutcome,
  labelSteps,
  type VpsLabels,
} from '../../../operations/format/label-vps.ts';
import type { ReportSummary } from './report-summary.ts';

/**
 * Replaces VPS names in the texts of a report by their labels, such as `web-01 (VPS-10001)`. The
 * baseline and the input of buttons keep the VPS names.
 */
export function labelSummary(summary: ReportSummary, labels: VpsLabels): ReportSummary {
  const label = createVpsLabeler(labels);
  return {
    ...labelOutcome(summary, labels),
    details: summary.details.map(({ vps, title, lines, next }) => ({
      vps: label(vps),
      title: label(title),
      lines: lines.map(label),
      next: labelSteps(next, label),
    })),
  };
}
