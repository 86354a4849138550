import { formatShortList } from '../../../shared/text-format.ts';
import type { RankedVps } from './ranking.ts';
import { formatMissingGap } from './read-failures.ts';

/** Maximum headline length, to fit in the first lines on a phone. */
const maxChars = 200;
const maxItemChars = 80;
const maxUnreadNames = 2;
const minGroupSize = 3;
const maxGroupNames = 2;

/** Formats the headline: "2 of 12 need a look: VPS-10004 CPU 93% for 6 h, VPS-10009 disk 91%". */
export function formatHeadline(ranked: readonly RankedVps[]): string {
  const all = ranked.length;
  if (all === 0) return 'No VPS to report on';
  const bad = ranked.filter(({ findings }) => findings.length > 0);
  const isNothingKnown = ranked.every(({ report }) => report.readFailures.length > 0 && !hasMetrics(report));
  if (isNothingKnown) return all === 1 ? 'The VPS could not be read' : `None of ${all} VPS could be read`;
  const gap = `${formatMutedCount(ranked)}${formatReadGaps(ranked)}`;
  const [only] = ranked;
  if (bad.length === 0) {
    const known = ranked.filter(
      ({ report }) => report.readFailures.length === 0 || hasMetrics(report),
    ).length;
    const subject = only && all === 1 ? `about ${only.report.name}` : `among ${known} VPS`;
    return `Nothing stands out ${subject}${gap}${formatMissingGap(ranked.map(({ report }) => report))}`;
  }
  const count =
    all === 1 ? 'The VPS needs a look' : `${bad.length} of ${all} need${bad.length === 1 ? 's' : ''} a look`;
  return `${count}: ${formatWorst(bad, maxChars - count.length - gap.length)}${gap}`;
}

function hasMetrics({ cpu, memory, disk, traffic, state }: RankedVps['report']): boolean {
  return [cpu, memory, disk, traffic, state].some((value) => value !== undefined);
}

/** Formats how many VPS have findings that maintenance hides. */
function formatMutedCount(ranked: readonly RankedVps[]): string {
  const count = ranked.filter(({ mutedUntilMs }) => mutedUntilMs !== undefined).length;
  if (count === 0) return '';
  return ranked.length === 1 ? '; it is in maintenance' : `; ${count} in maintenance`;
}

/** Formats how many VPS couldn't be read, or names up to two. */
function formatReadGaps(ranked: readonly RankedVps[]): string {
  const unread = ranked.map(({ report }) => report).filter((report) => report.readFailures.length > 0);
  if (unread.length === 0) return '';
  const isPartly = unread.some(hasMetrics);
  const names = unread.map(({ name }) => name);
  const who = names.length > maxUnreadNames ? String(names.length) : formatShortList(names, maxUnreadNames);
  return `; ${who} could not be read${isPartly ? ' in full' : ''}`;
}

/** Formats as many of the worst VPS as fit, at least one. */
function formatWorst(bad: readonly RankedVps[], chars: number): string {
  const items = groupByFinding(bad);
  let shown = 0;
  let counted = 0;
  let length = 0;
  for (const { text, count } of items) {
    length += text.length + 2;
    if (shown > 0 && length > chars - ' and 100 more'.length) break;
    shown += 1;
    counted += count;
  }
  const texts = items.slice(0, shown).map(({ text }) => text);
  return `${texts.join(', ')}${counted < bad.length ? ` and ${bad.length - counted} more` : ''}`;
}

/** Groups VPS with the same finding into one item: "16 stopped (VPS-10012, VPS-10024 and 14 more)". */
function groupByFinding(
  bad: readonly RankedVps[],
): readonly { readonly text: string; readonly count: number }[] {
  const byWords = Map.groupBy(bad, ({ findings: [worst] }) => worst?.summary ?? '');
  return [...byWords].flatMap(([words, all]) => {
    const names = all.map(({ report }) => report.name);
    if (all.length < minGroupSize)
      return names.map((name) => ({ text: truncate(`${name} ${words}`), count: 1 }));
    const having = all[0]?.findings[0]?.kind === 'state' ? '' : 'with ';
    const text = `${all.length} ${having}${truncate(words)} (${formatShortList(names, maxGroupNames)})`;
    return [{ text, count: all.length }];
  });
}

function truncate(text: string): string {
  const chars = Array.from(text.replace(/\s+/g, ' '));
  return chars.length > maxItemChars ? `${chars.slice(0, maxItemChars - 1).join('')}…` : chars.join('');
}
