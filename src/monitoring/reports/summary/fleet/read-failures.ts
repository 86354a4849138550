import { formatList } from '../../../../format-list.ts';
import { formatShortList } from '../../../shared/text-format.ts';
import { type MissingMetric, missingMetrics, type ReadFailure, type VpsReport } from '../vps-report.ts';

/** Maximum characters of the names and of the reason in a note. */
const maxNamesChars = 250;
const maxReasonChars = 180;
/** Maximum notes, because people don't read more. */
const maxLines = 6;

/** Formats notes on failed readings, with reasons. `left` counts the VPS whose notes didn't fit. */
export function formatReadFailures(reports: readonly VpsReport[]): {
  readonly notes: readonly string[];
  readonly left: number;
} {
  const each = reports.flatMap(({ name, readFailures }) => readFailures.map((one) => ({ name, ...one })));
  const byReason = Map.groupBy(each, ({ what, reason }) => `${what}\n${reason}`);
  const lines = [...byReason.values()].flatMap((alike) => {
    const [first] = alike;
    if (!first) return [];
    return wrapNames(alike.map(({ name }) => name)).map((names) => ({
      names,
      text: formatReadFailure(first, names),
    }));
  });
  const left = new Set(lines.slice(maxLines).flatMap(({ names }) => names));
  return { notes: lines.slice(0, maxLines).map(({ text }) => text), left: left.size };
}

/** A mean that covers less than this share of the period gets a note. */
const minKnownShare = 0.5;
const maxSparseNames = 5;

/**
 * Formats a note on VPS with data for less than half of the period, such as new ones. Stopped VPS are left out, because
 * they are already reported.
 */
export function formatSparseData(reports: readonly VpsReport[]): readonly string[] {
  const thin = reports.filter(
    ({ knownShare = 1, findings }) =>
      knownShare < minKnownShare && !findings.some(({ kind }) => kind === 'state'),
  );
  if (thin.length === 0) return [];
  const names = formatShortList(
    thin.map(({ name }) => name),
    maxSparseNames,
  );
  return [
    `Data for ${names} covers less than half of the period. Averages and traffic cover only that part.`,
  ];
}

const subjects: Readonly<Record<ReadFailure['what'], string>> = {
  state: 'The state',
  'live data': 'Live data',
  history: 'The history',
};

function formatReadFailure({ what, reason }: ReadFailure, names: readonly string[]): string {
  const chars = Array.from(reason.replace(/\s+/g, ' ').trim());
  const text =
    chars.length > maxReasonChars ? `${chars.slice(0, maxReasonChars - 1).join('')}…` : chars.join('');
  return `${subjects[what]} of ${names.join(', ')} could not be read: ${text}${/[.!?…]$/.test(text) ? '' : '.'}`;
}

function wrapNames(names: readonly string[]): readonly (readonly string[])[] {
  const lines: string[][] = [];
  let chars = 0;
  for (const name of names) {
    chars += name.length + 2;
    const line = lines.at(-1);
    if (line && chars <= maxNamesChars) line.push(name);
    else {
      lines.push([name]);
      chars = name.length;
    }
  }
  return lines;
}

const maxNames = 5;

interface MissingGroup {
  readonly metrics: readonly MissingMetric[];
  readonly vps: readonly string[];
}

/** Groups VPS that lack the same metrics. */
function groupMissing(reports: readonly VpsReport[]): readonly MissingGroup[] {
  const lacking = reports.filter((report) => report.missingMetrics.length > 0);
  return [...Map.groupBy(lacking, (report) => report.missingMetrics.join(' ')).values()].map((alike) => ({
    metrics: alike[0]?.missingMetrics ?? [],
    vps: alike.map(({ name }) => name),
  }));
}

/** Formats metrics that the service doesn't return, for a headline: "; disk of 3 not shown". */
export function formatMissingGap(reports: readonly VpsReport[]): string {
  const groups = groupMissing(reports);
  const metrics = missingMetrics.filter((metric) => groups.some((group) => group.metrics.includes(metric)));
  if (metrics.length === 0) return '';
  const count = groups.reduce((sum, { vps }) => sum + vps.length, 0);
  const whose = count === reports.length ? '' : ` of ${count}`;
  return `; ${formatList(metrics, 'and')}${whose} not shown`;
}

/** Formats a note on each group of VPS with unchecked metrics. */
export function formatMissingMetrics(reports: readonly VpsReport[]): readonly string[] {
  return groupMissing(reports).map(
    ({ metrics, vps }) =>
      `The service's data for ${formatShortList(vps, maxNames)} has no ${formatList(metrics, 'or')} that Rackhand understands, so ${metrics.length === 1 ? 'this was' : 'these were'} not checked.`,
  );
}
