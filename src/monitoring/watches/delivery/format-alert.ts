import { type Recipients, toRecipientValue } from '../../../auth/recipients.ts';
import type { Clock } from '../../../jobs/clock.ts';
import type { ChoiceStep, Fact, NextStep, Outcome, Value } from '../../../operations/define/outcome.ts';
import type { LabelVps } from '../../../operations/format/label-vps.ts';
import type { LabelVpsFor } from '../../../runs/team-labels.ts';
import { capitalize, formatShortDuration, formatShortList } from '../../shared/text-format.ts';
import { graphStep, muteStep, vpsNextSteps } from '../../shared/vps-steps.ts';
import {
  type Condition,
  formatCondition,
  formatMetric,
  formatRecovery,
  formatThreshold,
  measureName,
} from '../condition.ts';
import { type Alert, type AlertMember, isAlertOpen } from '../evaluation/alert.ts';
import { isConditionMet } from '../evaluation/evaluate-condition.ts';
import { escalationFact, runbookFacts } from '../planning/watch-planner.ts';
import type { Watch } from '../watch.ts';
import { unreadNoticeAfterMs } from './unread-notices.ts';

/** Maximum VPS in the headline and in the table, to be readable on a phone. */
const maxNames = 3;
const maxRows = 20;

export interface FormatAlertOptions {
  readonly watch: Pick<Watch, 'name' | 'condition' | 'notify' | 'escalation' | 'runbook'>;
  readonly alert: Alert;
  readonly nowMs: number;
  readonly labelVps: LabelVps;
  /** Why the watch's ping would reach no one, worded as the end of a sentence. Undefined if it would reach someone. */
  readonly notifyProblem?: string | undefined;
  /** Facts about the latest change that interrupted a VPS in the alert. */
  readonly changeFacts?: readonly Fact[];
}

/** Returns a fact about the latest change since `sinceMs` that interrupted one of the VPS, if any. */
export type FindChangeFacts = (
  teamId: string,
  vps: readonly string[],
  sinceMs: number,
) => Promise<readonly Fact[]>;

export type NamedMember = AlertMember & {
  readonly vps: string;
  /** The VPS label for messages. */
  readonly label: string;
};

/** Formats an alert: the VPS still alerting, worst first, then the recovered ones. */
export function formatAlert(options: FormatAlertOptions): Outcome {
  const { watch, alert, nowMs, changeFacts = [] } = options;
  const { condition } = watch;
  const members = sortMembers(options);
  const open = members.filter(({ endedMs }) => endedMs === null);
  const { facts = [], ...body } = formatBody(members, condition);
  return {
    title:
      open.length > 0
        ? `⚠️ ${formatOpenTitle(open, condition, nowMs)}`
        : `✅ ${formatEndedTitle(members, alert, condition)}`,
    ...body,
    facts: [
      ...facts,
      ...changeFacts,
      ...mutedFacts(open),
      ...responseFacts(options),
      ...runbookFacts(watch.runbook),
    ],
    notes: [
      ...responseNotes(options),
      ...formatUnread(open, nowMs),
      ...(members.length > maxRows ? [`The table shows ${maxRows} of ${members.length} VPS.`] : []),
      `${watch.name}: ${formatCondition(condition)}.${open.length > 0 ? ` Recovers after ${formatRecovery(condition)}.` : ''}`,
    ],
    next: alertSteps(options, members),
    ...(members.length > 1 && { choiceSteps: vpsChoices }),
  };
}

function mutedFacts(open: readonly NamedMember[]): readonly Fact[] {
  return open
    .flatMap(({ label, mutedUntilMs }): readonly Fact[] =>
      mutedUntilMs === null
        ? []
        : [{ label: `${label} muted until`, value: { kind: 'time', timeMs: mutedUntilMs } }],
    )
    .slice(0, maxNames);
}

/** Formats which VPS have no current figures because they are off or can't be read. */
function formatUnread(open: readonly NamedMember[], nowMs: number): readonly string[] {
  const unread = open.flatMap(({ label, unreadMs, isOff }) =>
    unreadMs !== null && nowMs - unreadMs >= unreadNoticeAfterMs
      ? [{ label, unreadMs, isOff: isOff === true }]
      : [],
  );
  return [...Map.groupBy(unread, ({ isOff }) => isOff)].map(([isOff, those]) => {
    const names = formatShortList(
      those.map(({ label }) => label),
      maxNames,
    );
    const length = formatShortDuration(nowMs - Math.min(...those.map(({ unreadMs }) => unreadMs)));
    return isOff
      ? `${names}: off for ${length}, so there are no figures.`
      : `${names} couldn't be read for ${length}, so the current state is unknown.`;
  });
}

/** Formats a message for each VPS that joined the alert, or a single message if there are many such VPS. */
export function formatJoined(options: FormatAlertOptions): readonly Outcome[] {
  const { watch, alert, nowMs } = options;
  const { condition } = watch;
  const joined = sortMembers(options).filter(({ vps }) => alert.joined.includes(vps));
  if (joined.length <= maxNames) {
    return joined.map((one) => ({
      title: `⚠️ ${formatOpenTitle([one], condition, nowMs)}`,
      next: [...vpsNextSteps(one.vps), muteStep(one.vps)],
    }));
  }
  return [{ title: `⚠️ ${formatOpenTitle(joined, condition, nowMs)}`, ...formatBody(joined, condition) }];
}

/** Formats the message that pings someone because an alert hasn't been acknowledged. */
export function formatEscalation(options: FormatAlertOptions, afterMs: number): Outcome {
  const { watch, nowMs, changeFacts = [] } = options;
  const open = sortMembers(options).filter(({ endedMs }) => endedMs === null);
  return {
    title: `Not acknowledged for ${formatShortDuration(afterMs)}: ${formatOpenTitle(open, watch.condition, nowMs)}`,
    facts: [...changeFacts, ...runbookFacts(watch.runbook)],
    next: acknowledgeSteps(options),
  };
}

/** Formats an alert whose watch was stopped, based on its last message. */
export function formatClosed(watchName: string, { title, table }: Outcome, why: string): Outcome {
  return {
    title: `${watchName}: ${why}`,
    ...(table && { table }),
    notes: [`At the last check: ${title}.`],
  };
}

/** Sorts an alert's VPS: the ones still alerting first, then worst first. */
export function sortMembers({
  watch: { condition },
  alert: { members },
  labelVps,
}: Pick<FormatAlertOptions, 'watch' | 'alert' | 'labelVps'>): readonly NamedMember[] {
  const isLowWorse = condition.is === 'under';
  const rank = ({ latest, worst }: AlertMember) => (latest ?? worst ?? 0) * (isLowWorse ? -1 : 1);
  return Object.entries(members)
    .map(([vps, member]): NamedMember => ({ vps, label: labelVps(vps), ...member }))
    .sort(
      (a, b) =>
        Number(a.endedMs !== null) - Number(b.endedMs !== null) ||
        rank(b) - rank(a) ||
        a.sinceMs - b.sinceMs ||
        a.vps.localeCompare(b.vps, 'en', { numeric: true }),
    );
}

function formatOpenTitle(open: readonly NamedMember[], condition: Condition, nowMs: number): string {
  const [first] = open;
  const isOfState = condition.measure === 'state';
  const measure = isOfState ? '' : `${capitalize(measureName(condition))} `;
  const threshold = formatThreshold(condition);
  if (first && open.length === 1) {
    const [figure, length] = [formatLatest(first, condition), formatMemberDuration(first, nowMs)];
    if (isConditionMet(condition, first))
      return `${first.label}: ${measure}${figure} for ${length} (${threshold})${formatPeak(first, condition)}`;
    return `${first.label}: ${measure || 'state '}${threshold} for ${length}, now ${figure}${formatPeak(first, condition)}`;
  }
  // A recovering VPS stays in the headline until its second recovered reading. "now" explains a figure that would
  // otherwise contradict the headline.
  const each = open.map((one, index) => {
    const figure = `${isConditionMet(condition, one) ? '' : 'now '}${formatLatest(one, condition)}`;
    return `${one.label} ${figure}${index === 0 ? ` for ${formatMemberDuration(one, nowMs)}` : ''}`;
  });
  const having = isOfState ? 'whose state ' : `with ${measureName(condition)} `;
  return `${open.length} VPS ${having}${threshold}: ${formatShortList(each, maxNames)}`;
}

/** Formats the worst figure, unless it looks the same as the current one. */
function formatPeak({ latest, worst }: AlertMember, condition: Condition): string {
  if (worst === null || latest === null) return '';
  const peak = formatMetric(condition, worst);
  return peak === formatMetric(condition, latest) ? '' : `, ${peakName(condition).toLowerCase()} ${peak}`;
}

function peakName({ is }: Condition): string {
  return is === 'under' ? 'Lowest' : 'Peak';
}

function formatEndedTitle(members: readonly NamedMember[], { beganMs }: Alert, condition: Condition): string {
  const [first] = members;
  const measure = condition.measure === 'state' ? 'State' : capitalize(measureName(condition));
  const what = `${measure} ${formatThreshold(condition)}`;
  const fromMs = Math.min(...members.map(({ sinceMs }) => sinceMs), beganMs);
  const untilMs = Math.max(...members.map(({ endedMs }) => endedMs ?? beganMs));
  const length = formatShortDuration(untilMs - fromMs);
  const worst = worstValue(members, condition);
  const most =
    worst === undefined ? '' : `, ${peakName(condition).toLowerCase()} ${formatMetric(condition, worst)}`;
  if (first && members.length === 1) {
    if (first.ending === 'unselected')
      return `${first.label}: the watch no longer covers this VPS; ${what} for ${length}${most}`;
    if (first.ending === 'gone')
      return `${first.label}: the VPS no longer exists; ${what} for ${length}${most}`;
    return `${first.label}: ${what} ended after ${length}${most}`;
  }
  const others = members.filter(({ ending }) => ending !== 'back');
  if (others.length === 0) return `${members.length} VPS: ${what} ended after ${length}${most}`;
  const counts = [...Map.groupBy(members, ({ ending }) => ending ?? 'back')].map(
    ([ending, group]) => `${group.length} ${endingTexts[ending]}`,
  );
  return `${members.length} VPS: ${what} for ${length}${most}; ${counts.join(', ')}`;
}

const endingTexts = { back: 'back', gone: 'gone', unselected: 'no longer watched' } as const;

function worstValue(members: readonly NamedMember[], { is }: Condition): number | undefined {
  const figures = members.flatMap(({ worst }) => worst ?? []);
  if (figures.length === 0) return undefined;
  return is === 'under' ? Math.min(...figures) : Math.max(...figures);
}

function formatBody(members: readonly NamedMember[], condition: Condition): Pick<Outcome, 'facts' | 'table'> {
  const [only] = members;
  const hasFigures = condition.measure !== 'state';
  if (only && members.length === 1) {
    return {
      facts: [
        { label: 'Since', value: { kind: 'time', timeMs: only.sinceMs } },
        ...(only.endedMs === null
          ? []
          : [{ label: 'Until', value: { kind: 'time', timeMs: only.endedMs } as const }]),
      ] satisfies Fact[],
    };
  }
  return {
    table: {
      columns: ['VPS', 'Now', ...(hasFigures ? [peakName(condition)] : []), 'Since'],
      // Sorted by time, so rows don't move while figures change.
      rows: members
        .slice(0, maxRows)
        .toSorted((a, b) => a.sinceMs - b.sinceMs || a.vps.localeCompare(b.vps, 'en', { numeric: true }))
        .map((one): Value[] => [
          `${one.endedMs === null ? '⚠️' : one.ending === 'back' ? '✅' : '–'} ${one.label}`,
          one.endedMs === null || one.ending === 'back'
            ? formatLatest(one, condition)
            : endingTexts[one.ending ?? 'back'],
          ...(hasFigures ? [one.worst === null ? '–' : formatMetric(condition, one.worst)] : []),
          { kind: 'time', timeMs: one.sinceMs },
        ]),
    },
  };
}

function formatLatest({ latest, state, worst }: AlertMember, condition: Condition): string {
  if (condition.measure === 'state') return state ?? 'not known';
  const figure = latest ?? worst;
  return figure === null ? '–' : formatMetric(condition, figure);
}

/** Formats how long a VPS has been alerting, until it recovered or became unreadable. */
function formatMemberDuration({ sinceMs, endedMs, unreadMs }: AlertMember, nowMs: number): string {
  return formatShortDuration((endedMs ?? unreadMs ?? nowMs) - sinceMs);
}

const vpsChoices: readonly ChoiceStep[] = [
  { label: 'Graph a VPS', operation: 'graph', argument: 'vps', input: {} },
  { label: 'Mute a VPS for a Day', operation: 'mute', argument: 'vps', input: {} },
];

/** Returns the buttons, in an order that stays the same while the alert is open. */
function alertSteps(options: FormatAlertOptions, members: readonly NamedMember[]): readonly NextStep[] {
  const [only] = members;
  const { name } = options.watch;
  const isOpen = isAlertOpen(options.alert);
  const isOne = only !== undefined && members.length === 1;
  return [
    ...acknowledgeSteps(options),
    ...(isOne ? [graphStep(only.vps)] : []),
    ...[
      ...assignSteps(options),
      ...(isOne && isOpen ? [muteStep(only.vps)] : []),
      { label: 'Watch', operation: 'watch show', input: { name } },
    ].map((step) => ({ ...step, isMinor: true })),
  ];
}

interface FormatOptionsDependencies {
  readonly recipients: Pick<Recipients, 'findProblem'>;
  readonly labelVpsFor: LabelVpsFor;
  readonly findChangeFacts: FindChangeFacts;
  readonly clock: Pick<Clock, 'now'>;
}

/** Loads what an alert's messages need besides the alert. */
export async function formatOptionsOf(
  watch: Watch,
  alert: Alert,
  { recipients, labelVpsFor, findChangeFacts, clock }: FormatOptionsDependencies,
): Promise<FormatAlertOptions> {
  const { teamId, notify } = watch;
  const { members, beganMs } = alert;
  const sinceMs = Math.min(beganMs, ...Object.values(members).map((member) => member.sinceMs));
  return {
    watch,
    alert,
    nowMs: clock.now(),
    labelVps: await labelVpsFor(teamId),
    notifyProblem: notify === undefined ? undefined : await recipients.findProblem(teamId, notify),
    changeFacts: await findChangeFacts(teamId, Object.keys(members), sinceMs),
  };
}

interface ResponseOptions {
  readonly watch: Pick<Watch, 'name' | 'notify' | 'escalation'>;
  readonly alert: Alert;
  readonly notifyProblem?: string | undefined;
}

/** Returns facts about the response to an alert: pages, acknowledgment, escalation and assignee. */
export function responseFacts(options: ResponseOptions): readonly Fact[] {
  const { watch, alert, notifyProblem } = options;
  const { acknowledged, assignee, postedMs, isPageLost } = alert.response;
  const wasNotified = watch.notify !== undefined && postedMs !== null && notifyProblem === undefined;
  return [
    ...(wasNotified
      ? [{ label: isPageLost ? 'Could not page' : 'Paged', value: toRecipientValue(watch.notify) }]
      : []),
    ...escalationFacts(options),
    ...(acknowledged
      ? [
          { label: 'Acknowledged by', value: toPerson(acknowledged.userId) },
          { label: 'Acknowledged', value: { kind: 'time', timeMs: acknowledged.atMs } as const },
        ]
      : []),
    ...(assignee === null ? [] : [{ label: 'Assigned to', value: toPerson(assignee) }]),
  ];
}

function escalationFacts({ watch: { escalation }, alert }: ResponseOptions): readonly Fact[] {
  if (!escalation) return [];
  const { acknowledged, escalation: result } = alert.response;
  const value = toRecipientValue(escalation.to);
  switch (result) {
    case 'sent':
      return [{ label: 'Then paged', value }];
    case 'failed':
      return [{ label: "Couldn't page", value }];
    default: {
      if (acknowledged || !isAlertOpen(alert)) return [];
      const { postedMs } = alert.response;
      if (postedMs === null) return [escalationFact(escalation)];
      const timeMs = postedMs + escalation.afterMs;
      return [
        { label: 'Pages next', value },
        { label: 'Unless acknowledged by', value: { kind: 'time', timeMs } },
      ];
    }
  }
}

/** Returns a note on why an open alert paged no one. Empty if the alert has ended or its ping would reach someone. */
export function responseNotes({ alert, notifyProblem }: ResponseOptions): readonly string[] {
  return notifyProblem !== undefined && isAlertOpen(alert)
    ? [`No one was paged: ${notifyProblem}. Edit the watch to page someone else.`]
    : [];
}

interface NamedAlert {
  readonly watch: Pick<Watch, 'name'>;
  readonly alert: Alert;
}

/** Returns the button that acknowledges an open alert. The button works for this alert only. */
export function acknowledgeSteps({ watch: { name }, alert }: NamedAlert): readonly NextStep[] {
  if (!isAlertOpen(alert) || alert.response.acknowledged) return [];
  const input = { name, alert: String(alert.beganMs) };
  return [{ label: 'Acknowledge', operation: 'watch acknowledge', input, isPrimary: true }];
}

/** Returns the button that assigns an open alert to someone. The button works for this alert only. */
export function assignSteps({ watch: { name }, alert }: NamedAlert): readonly NextStep[] {
  if (!isAlertOpen(alert)) return [];
  const input = { name, alert: String(alert.beganMs) };
  return [{ label: 'Assign', operation: 'watch assign', input, opensForm: true }];
}

function toPerson(person: string): Value {
  return { kind: 'person', person };
}
