import type { Ranked } from './ranking.ts';
import { listWords } from './words.ts';

/** What fits in the first line of a message on a phone, with some patience. */
const mostChars = 200;
const longestItem = 80;
const mostUnreadNames = 2;
const fewestAlike = 3;
const mostAlikeNames = 2;

/** Says what matters in one line: "2 of 12 need a look: VPS-10004 CPU 93 % for 6 h, VPS-10009 disk 91 %". */
export function headline(ranked: readonly Ranked[]): string {
  const all = ranked.length;
  if (all === 0) return 'No VPS to report on';
  const bad = ranked.filter(({ findings }) => findings.length > 0);
  const isNothingKnown = ranked.every(({ report }) => report.unread.length > 0 && !isRead(report));
  if (isNothingKnown) return all === 1 ? 'The VPS could not be read' : `None of ${all} VPS could be read`;
  const gap = `${mutedWords(ranked)}${gapWords(ranked)}`;
  const [only] = ranked;
  if (bad.length === 0) {
    const known = ranked.filter(({ report }) => report.unread.length === 0 || isRead(report)).length;
    const whom = only && all === 1 ? `about ${only.report.name}` : `among ${known} VPS`;
    return `Nothing stands out ${whom}${gap}`;
  }
  const count =
    all === 1 ? 'The VPS needs a look' : `${bad.length} of ${all} need${bad.length === 1 ? 's' : ''} a look`;
  return `${count}: ${worstOf(bad, mostChars - count.length - gap.length)}${gap}`;
}

function isRead({ cpu, memory, disk, traffic, state }: Ranked['report']): boolean {
  return [cpu, memory, disk, traffic, state].some((value) => value !== undefined);
}

/** Says of how many it is kept back that they stand out. */
function mutedWords(ranked: readonly Ranked[]): string {
  const muted = ranked.filter(({ mutedUntilMs }) => mutedUntilMs !== undefined).length;
  if (muted === 0) return '';
  return ranked.length === 1 ? '; it is muted' : `; ${muted} muted`;
}

/** Says what could not be read: by name, where it is one or two. */
function gapWords(ranked: readonly Ranked[]): string {
  const unread = ranked.map(({ report }) => report).filter((report) => report.unread.length > 0);
  if (unread.length === 0) return '';
  const isPartly = unread.some(isRead);
  const names = unread.map(({ name }) => name);
  const who = names.length > mostUnreadNames ? String(names.length) : listWords(names, mostUnreadNames);
  return `; ${who} could not be read${isPartly ? ' in full' : ''}`;
}

/** Names as many as there is room for, and at least one. */
function worstOf(bad: readonly Ranked[], chars: number): string {
  const items = itemsOf(bad);
  let shown = 0;
  let told = 0;
  let length = 0;
  for (const { text, count } of items) {
    length += text.length + 2;
    if (shown > 0 && length > chars - ' and 100 more'.length) break;
    shown += 1;
    told += count;
  }
  const texts = items.slice(0, shown).map(({ text }) => text);
  return `${texts.join(', ')}${told < bad.length ? ` and ${bad.length - told} more` : ''}`;
}

/** Of many that have the same to say, such as a state, one item: "16 stopped (VPS-10012, VPS-10024 and 14 more)". */
function itemsOf(bad: readonly Ranked[]): readonly { readonly text: string; readonly count: number }[] {
  const byWords = Map.groupBy(bad, ({ findings: [worst] }) => worst?.words ?? '');
  return [...byWords].flatMap(([words, all]) => {
    const names = all.map(({ report }) => report.name);
    if (all.length < fewestAlike) return names.map((name) => ({ text: clip(`${name} ${words}`), count: 1 }));
    const having = all[0]?.findings[0]?.kind === 'state' ? '' : 'with ';
    const text = `${all.length} ${having}${clip(words)} (${listWords(names, mostAlikeNames)})`;
    return [{ text, count: all.length }];
  });
}

function clip(text: string): string {
  const chars = Array.from(text.replace(/\s+/g, ' '));
  return chars.length > longestItem ? `${chars.slice(0, longestItem - 1).join('')}…` : chars.join('');
}
