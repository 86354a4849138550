import type { ChartSpec, HeatmapRow } from '../../charts/chart-spec.ts';
import type { Chart, Fact, NextStep, Outcome, Table } from '../define/outcome.ts';
import type { DisplayNames } from '../define/target-state.ts';
import { formatVpsLabel } from './vps-label.ts';

/** VPS labels in messages, by VPS name: `web-01 (VPS-10001)`. */
export type VpsLabels = ReadonlyMap<string, string>;

/** Replaces VPS names in text with their labels: `VPS-10001` becomes `web-01 (VPS-10001)`. */
export type LabelVps = (text: string) => string;

const labelPattern = /^(?<name>.+) \((?<vpsName>VPS-[A-Za-z0-9_-]+)\)$/s;

/**
 * Matches a VPS name that isn't part of a hostname, a pattern or a label. Also matches quoted text,
 * such as the name of a watch, which stays unchanged.
 */
const vpsNamePattern = /"[^"]*"|(?<![\w.(-])VPS-[A-Za-z0-9_-]+(?![\w*-]|\.\w)/g;

/** Returns the labels in an input's display names. */
export function toVpsLabels(displayNames: DisplayNames = {}): VpsLabels {
  return new Map(
    Object.values(displayNames).flatMap((label) => {
      const { name, vpsName } = labelPattern.exec(label)?.groups ?? {};
      return name === undefined || vpsName === undefined ? [] : [[vpsName, formatVpsLabel(vpsName, name)]];
    }),
  );
}

/** Shortens the labels to the name alone, unless two VPS share it. */
export function shortenUniqueLabels(labels: VpsLabels): VpsLabels {
  const nameOf = (label: string) => labelPattern.exec(label)?.groups?.name ?? label;
  const counts = Map.groupBy(labels.values(), nameOf);
  return new Map(
    [...labels].map(([vpsName, label]) => [
      vpsName,
      counts.get(nameOf(label))?.length === 1 ? nameOf(label) : label,
    ]),
  );
}

export function createVpsLabeler(labels: VpsLabels): LabelVps {
  if (labels.size === 0) return (text) => text;
  return (text) => text.replace(vpsNamePattern, (vpsName) => labels.get(vpsName) ?? vpsName);
}

/** Returns the VPS names in a text that have no label yet and that `createVpsLabeler` would replace. */
export function findUnlabelledVps(text: string): readonly string[] {
  return [...new Set(text.match(vpsNamePattern) ?? [])].filter((name) => name.startsWith('VPS-'));
}

type LabelledParts = Pick<Outcome, 'title' | 'facts' | 'table' | 'notes' | 'chart' | 'next'>;

/** Labels the VPS in an outcome's texts, table, chart and buttons. Button input stays unchanged. */
export function labelOutcome<O extends LabelledParts>(outcome: O, labels: VpsLabels): O {
  if (labels.size === 0) return outcome;
  const label = createVpsLabeler(labels);
  const { title, facts, table, notes, chart, next } = outcome;
  return {
    ...outcome,
    title: label(title),
    ...(facts && { facts: labelFacts(facts, label) }),
    ...(table && { table: labelTable(table, label) }),
    ...(notes && { notes: notes.map(label) }),
    ...(chart && { chart: labelChart(chart, label) }),
    ...(next && { next: labelSteps(next, label) }),
  };
}

/** Labels the VPS in an outcome's sentences, but not in its facts and tables, which can contain other names. */
export function labelSentences<O extends Pick<Outcome, 'title' | 'notes'>>(outcome: O, labels: VpsLabels): O {
  const label = createVpsLabeler(labels);
  const { title, notes } = outcome;
  return { ...outcome, title: label(title), ...(notes && { notes: notes.map(label) }) };
}

/** Labels the VPS in facts. Values that people copy stay unchanged. */
export function labelFacts(facts: readonly Fact[], label: LabelVps): readonly Fact[] {
  return facts.map((fact) => ({
    label: label(fact.label),
    value: typeof fact.value === 'string' ? label(fact.value) : fact.value,
  }));
}

export function labelSteps(steps: readonly NextStep[], label: LabelVps): readonly NextStep[] {
  return steps.map((step) => ({ ...step, label: label(step.label) }));
}

function labelTable({ columns, rows }: Table, label: LabelVps): Table {
  return {
    columns,
    rows: rows.map((row) => row.map((value) => (typeof value === 'string' ? label(value) : value))),
  };
}

function labelChart(chart: Chart, label: LabelVps): Chart {
  return { ...chart, takeaway: label(chart.takeaway), spec: labelSpec(chart.spec, label) };
}

function labelSpec(spec: ChartSpec, label: LabelVps): ChartSpec {
  const title = label(spec.title);
  return spec.kind === 'heatmap' ? { ...spec, title, rows: labelRows(spec.rows, label) } : { ...spec, title };
}

/** Labels the rows of a chart. A VPS with a unique name is shown without its VPS name, because there is little room. */
function labelRows(rows: readonly HeatmapRow[], label: LabelVps): readonly HeatmapRow[] {
  const short = rows.map((row) => label(row.label).replace(/ \(VPS-[^)]*\)$/, ''));
  return rows.map((row, index) => {
    const name = short[index] ?? row.label;
    return { ...row, label: short.filter((other) => other === name).length === 1 ? name : row.label };
  });
}

/**
 * Returns the names that people can type for `text`: the text itself and, if it is a VPS, also the VPS's
 * name and label.
 */
export function listNamesFor(text: string, displayNames: DisplayNames = {}): readonly string[] {
  return [
    text,
    ...Object.values(displayNames).flatMap((label) => {
      const { name, vpsName } = labelPattern.exec(label)?.groups ?? {};
      return name !== undefined && vpsName === text ? [name, label] : [];
    }),
  ];
}
