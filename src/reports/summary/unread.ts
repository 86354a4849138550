import type { Unread, VpsReport } from './vps-report.ts';
import { listWords } from './words.ts';

/** What a line of small print holds beside the reason, and how long a reason may be. */
const namesChars = 250;
const reasonChars = 180;
/** More lines nobody reads. */
const mostLines = 6;

/** Names what could not be read, and why, in lines of small print; and tells of how many VPS there was no room to. */
export function unreadNotes(reports: readonly VpsReport[]): {
  readonly notes: readonly string[];
  readonly left: number;
} {
  const each = reports.flatMap(({ name, unread }) => unread.map((one) => ({ name, ...one })));
  const byReason = Map.groupBy(each, ({ what, why }) => `${what}\n${why}`);
  const lines = [...byReason.values()].flatMap((alike) => {
    const [first] = alike;
    if (!first) return [];
    return linesOf(alike.map(({ name }) => name)).map((names) => ({ names, text: tell(first, names) }));
  });
  const left = new Set(lines.slice(mostLines).flatMap(({ names }) => names));
  return { notes: lines.slice(0, mostLines).map(({ text }) => text), left: left.size };
}

/** Of a VPS of which less is known, its means say little of the period. */
const enoughShare = 0.5;
const mostThinNames = 5;

/** Names what has figures of a small part of the period only, such as a VPS that is new; one that does not run is told of anyway. */
export function thinNotes(reports: readonly VpsReport[]): readonly string[] {
  const thin = reports.filter(
    ({ knownShare = 1, findings }) =>
      knownShare < enoughShare && !findings.some(({ kind }) => kind === 'state'),
  );
  if (thin.length === 0) return [];
  const whom = listWords(
    thin.map(({ name }) => name),
    mostThinNames,
  );
  return [`Of ${whom}, less than half of the period is known: means and traffic are of that part.`];
}

const subjects: Readonly<Record<Unread['what'], string>> = {
  state: 'The state',
  'live data': 'Live data',
  history: 'The history',
};

function tell({ what, why }: Unread, names: readonly string[]): string {
  const chars = Array.from(why.replace(/\s+/g, ' ').trim());
  const reason = chars.length > reasonChars ? `${chars.slice(0, reasonChars - 1).join('')}…` : chars.join('');
  return `${subjects[what]} of ${names.join(', ')} could not be read: ${reason}${/[.!?…]$/.test(reason) ? '' : '.'}`;
}

function linesOf(names: readonly string[]): readonly (readonly string[])[] {
  const lines: string[][] = [];
  let chars = 0;
  for (const name of names) {
    chars += name.length + 2;
    const line = lines.at(-1);
    if (line && chars <= namesChars) line.push(name);
    else {
      lines.push([name]);
      chars = name.length;
    }
  }
  return lines;
}
