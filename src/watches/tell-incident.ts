import { formatDuration } from '../charts/figures.ts';
import type { Choose, Fact, NextStep, Outcome, Value } from '../operations/outcome.ts';
import { muteStep, stepsFor } from '../reports/summary/steps.ts';
import { listWords } from '../reports/summary/words.ts';
import {
  type Condition,
  describeCondition,
  describeEnd,
  describeThreshold,
  measureName,
  writeFigure,
} from './condition.ts';
import { type Incident, isOpen, type Member } from './incident.ts';
import { holds } from './judge.ts';
import type { Watch } from './watch.ts';

/** VPS that the first line names, and rows of the table: what can be read on a phone. */
const mostNamed = 3;
const mostRows = 20;

/** What could not be read for so long is told. */
export const longUnreadMs = 10 * 60_000;

/** VPS that have buttons of their own; of more, one is chosen. In the thread each that joined has its own. */
const mostWithButtons = 2;
const longestOnButton = 15;

export interface Telling {
  readonly watch: Pick<Watch, 'name' | 'condition'>;
  readonly incident: Incident;
  readonly nowMs: number;
  /** What there is to say besides. */
  readonly notes?: readonly string[];
}

type Named = Member & { readonly vps: string };

/** Tells of the VPS that are over, the worst first, and of those that were. */
export function tellIncident(telling: Telling): Outcome {
  const { watch, incident, nowMs, notes = [] } = telling;
  const { condition } = watch;
  const members = membersOf(incident, condition);
  const open = members.filter(({ endedMs }) => endedMs === null);
  return {
    title:
      open.length > 0
        ? `⚠ ${openTitle(open, condition, nowMs)}`
        : `✓ ${endedTitle(members, incident, condition)}`,
    ...bodyOf(members, condition, nowMs),
    notes: [
      ...notes,
      ...unreadNotes(open, nowMs),
      ...(members.length > mostRows ? [`The table has ${mostRows} of ${members.length} VPS.`] : []),
      `${watch.name}: ${describeCondition(condition)}.${open.length > 0 ? ` It ends by ${describeEnd(condition)}.` : ''}`,
    ],
    next: stepsOf(telling, open.length > 0 ? open : members),
    ...(open.length > mostWithButtons && { choose: choices }),
  };
}

/** What cannot be read any more may be over or not: its figure is the last that is known. */
function unreadNotes(open: readonly Named[], nowMs: number): readonly string[] {
  const unread = open.flatMap(({ vps, unreadMs }) =>
    unreadMs !== null && nowMs - unreadMs >= longUnreadMs ? [{ vps, unreadMs }] : [],
  );
  if (unread.length === 0) return [];
  const names = listWords(
    unread.map(({ vps }) => vps),
    mostNamed,
  );
  const length = writeLength(nowMs - Math.min(...unread.map(({ unreadMs }) => unreadMs)));
  return [`${names} could not be read for ${length}: nobody knows whether it is over.`];
}

/** Tells of VPS that joined, one by one. */
export function tellJoined({ watch, incident, nowMs }: Telling): readonly Outcome[] {
  const { condition } = watch;
  const joined = membersOf(incident, condition).filter(({ vps }) => incident.joined.includes(vps));
  if (joined.length <= mostNamed) {
    return joined.map((one) => ({
      title: `⚠ ${openTitle([one], condition, nowMs)}`,
      next: [...stepsFor(one.vps), muteStep(one.vps)],
    }));
  }
  return [{ title: `⚠ ${openTitle(joined, condition, nowMs)}`, ...bodyOf(joined, condition, nowMs) }];
}

/** Tells that a watch does not look any more, in the message that it leaves open. */
export function tellLeft(telling: Telling, why: string): Outcome {
  const { watch, incident } = telling;
  const members = membersOf(incident, watch.condition);
  const open = members.filter(({ endedMs }) => endedMs === null).map(({ vps }) => vps);
  const still = open.length === 0 ? '' : `; ${listWords(open, mostNamed)} had not come back`;
  return {
    title: `${watch.name}: ${why}${still}`,
    ...bodyOf(members, watch.condition, telling.nowMs),
    notes: [`${describeCondition(watch.condition)}.`],
  };
}

function membersOf({ members }: Incident, condition: Condition): readonly Named[] {
  const isLowWorse = condition.is === 'under';
  const rank = ({ latest, worst }: Member) => (latest ?? worst ?? 0) * (isLowWorse ? -1 : 1);
  return Object.entries(members)
    .map(([vps, member]): Named => ({ vps, ...member }))
    .sort(
      (a, b) =>
        Number(a.endedMs !== null) - Number(b.endedMs !== null) ||
        rank(b) - rank(a) ||
        a.sinceMs - b.sinceMs ||
        a.vps.localeCompare(b.vps, 'en', { numeric: true }),
    );
}

function openTitle(open: readonly Named[], condition: Condition, nowMs: number): string {
  const [first] = open;
  const isOfState = condition.measure === 'state';
  const measure = isOfState ? '' : `${heading(measureName(condition))} `;
  const threshold = describeThreshold(condition);
  if (first && open.length === 1) {
    const [figure, length] = [figureOf(first, condition), lengthOf(first, nowMs)];
    if (holds(condition, first)) return `${first.vps}: ${measure}${figure} for ${length} (${threshold})`;
    return `${first.vps}: ${measure || 'state '}${threshold} for ${length}, now ${figure}`;
  }
  // What is on its way back stays until it has been read twice, and its figure alone would contradict the line.
  const each = open.map((one, index) => {
    const figure = `${holds(condition, one) ? '' : 'now '}${figureOf(one, condition)}`;
    return `${one.vps} ${figure}${index === 0 ? ` for ${lengthOf(one, nowMs)}` : ''}`;
  });
  const having = isOfState ? 'whose state ' : `with ${measureName(condition)} `;
  return `${open.length} VPS ${having}${threshold}: ${listWords(each, mostNamed)}`;
}

function endedTitle(members: readonly Named[], { beganMs }: Incident, condition: Condition): string {
  const [first] = members;
  const measure = condition.measure === 'state' ? 'State' : heading(measureName(condition));
  const what = `${measure} ${describeThreshold(condition)}`;
  const fromMs = Math.min(...members.map(({ sinceMs }) => sinceMs), beganMs);
  const untilMs = Math.max(...members.map(({ endedMs }) => endedMs ?? beganMs));
  const length = writeLength(untilMs - fromMs);
  const worst = worstOf(members, condition);
  const side = condition.is === 'under' ? 'least' : 'most';
  const most = worst === undefined ? '' : `, at ${side} ${writeFigure(condition, worst)}`;
  if (first && members.length === 1) {
    if (first.ending === 'muted') return `${first.vps}: muted after ${length} of ${what}${most}`;
    if (first.ending === 'gone')
      return `${first.vps}: there is no such VPS any more; ${what} for ${length}${most}`;
    return `${first.vps}: ${what} ended after ${length}${most}`;
  }
  return `${members.length} VPS: ${what} ended after ${length}${most}`;
}

const endings = { back: 'back', muted: 'muted', gone: 'gone' } as const;

function worstOf(members: readonly Named[], { is }: Condition): number | undefined {
  const figures = members.flatMap(({ worst }) => worst ?? []);
  if (figures.length === 0) return undefined;
  return is === 'under' ? Math.min(...figures) : Math.max(...figures);
}

function bodyOf(
  members: readonly Named[],
  condition: Condition,
  nowMs: number,
): Pick<Outcome, 'facts' | 'table'> {
  const [only] = members;
  const furthest = condition.is === 'under' ? 'At least' : 'At most';
  const hasFigures = condition.measure !== 'state';
  if (only && members.length === 1) {
    return {
      facts: [
        { label: 'Since', value: { timeMs: only.sinceMs } },
        ...(only.endedMs === null ? [] : [{ label: 'Until', value: { timeMs: only.endedMs } }]),
        ...(only.worst === null ? [] : [{ label: furthest, value: writeFigure(condition, only.worst) }]),
      ] satisfies Fact[],
    };
  }
  return {
    table: {
      columns: ['VPS', 'Now', 'For', ...(hasFigures ? [furthest] : []), 'Since'],
      rows: members
        .slice(0, mostRows)
        .map((one): Value[] => [
          `${one.endedMs === null ? '⚠' : '✓'} ${one.vps}`,
          one.endedMs === null || one.ending === 'back'
            ? figureOf(one, condition)
            : endings[one.ending ?? 'back'],
          `${lengthOf(one, nowMs)}${one.endedMs === null ? '' : ', ended'}`,
          ...(hasFigures ? [one.worst === null ? '–' : writeFigure(condition, one.worst)] : []),
          { timeMs: one.sinceMs },
        ]),
    },
  };
}

function figureOf({ latest, state, worst }: Member, condition: Condition): string {
  if (condition.measure === 'state') return state ?? 'not known';
  const figure = latest ?? worst;
  return figure === null ? '–' : writeFigure(condition, figure);
}

/** No longer than anybody could read it. */
function lengthOf({ sinceMs, endedMs, unreadMs }: Member, nowMs: number): string {
  return writeLength((endedMs ?? unreadMs ?? nowMs) - sinceMs);
}

const minuteMs = 60_000;

function writeLength(lengthMs: number): string {
  return lengthMs < minuteMs
    ? 'less than a minute'
    : formatDuration(Math.floor(lengthMs / minuteMs) * minuteMs);
}

function heading(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

const choices: readonly Choose[] = [
  { label: 'Graph a VPS', operation: 'graph', argument: 'vps', input: {} },
  { label: 'Mute a VPS for a Day', operation: 'mute', argument: 'vps', input: {} },
];

function stepsOf({ watch: { name }, incident }: Telling, told: readonly Named[]): readonly NextStep[] {
  const [only] = told;
  const show: NextStep = { label: 'Watch', operation: 'watch show', input: { name } };
  if (only && told.length === 1)
    return [...stepsFor(only.vps), ...(isOpen(incident) ? [muteStep(only.vps)] : []), show];
  if (told.length > mostWithButtons) return [show];
  const each = told
    .filter(({ vps }) => vps.length <= longestOnButton)
    .flatMap(({ vps, endedMs }): NextStep[] => [
      { label: `Graph ${vps}`, operation: 'graph', input: { vps } },
      ...(endedMs === null ? [{ ...muteStep(vps), label: `Mute ${vps} for a Day` }] : []),
    ]);
  return [...each, show];
}
