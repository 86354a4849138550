import type { HeatmapRow } from '../../../charts/chart-spec.ts';
import type { Chart, Fact, Table } from '../../../operations/define/outcome.ts';
import { createLabelVps, type LabelVps } from '../../../operations/format/label-vps.ts';
import type { ReportSummary } from './report-summary.ts';

/**
 * Replaces VPS names in the texts of a report by their labels, such as `web-01 (VPS-10001)`. What
 * the next report compares, and what buttons run, keeps the VPS names.
 */
export function labelSummary(summary: ReportSummary, labels: ReadonlyMap<string, string>): ReportSummary {
  const label = createLabelVps(Object.fromEntries(labels));
  const { title, facts, table, notes, chart, details } = summary;
  return {
    ...summary,
    title: label(title),
    facts: facts.map((fact) => labelFact(fact, label)),
    ...(table && { table: labelTable(table, label) }),
    notes: notes.map(label),
    ...(chart && { chart: labelChart(chart, label) }),
    details: details.map((detail) => ({
      ...detail,
      vps: label(detail.vps),
      title: label(detail.title),
      lines: detail.lines.map(label),
    })),
  };
}

function labelFact({ label: name, value }: Fact, label: LabelVps): Fact {
  return { label: name, value: typeof value === 'string' ? label(value) : value };
}

function labelTable({ columns, rows }: Table, label: LabelVps): Table {
  return {
    columns,
    rows: rows.map((row) => row.map((value) => (typeof value === 'string' ? label(value) : value))),
  };
}

function labelChart(chart: Chart, label: LabelVps): Chart {
  const { spec, takeaway } = chart;
  const title = label(spec.title);
  return {
    ...chart,
    takeaway: label(takeaway),
    spec:
      spec.kind === 'heatmap' ? { ...spec, title, rows: labelRows(spec.rows, label) } : { ...spec, title },
  };
}

/** Labels the rows of a chart. There is little room, so a name that only one VPS has stands alone. */
function labelRows(rows: readonly HeatmapRow[], label: LabelVps): readonly HeatmapRow[] {
  const short = rows.map((row) => label(row.label).replace(/ \(VPS-[^)]*\)$/, ''));
  return rows.map((row, index) => {
    const name = short[index] ?? row.label;
    return { ...row, label: short.filter((other) => other === name).length === 1 ? name : row.label };
  });
}
