import { toRecipientValue } from '../../../auth/recipients.ts';
import { formatDuration } from '../../../charts/format/format-quantity.ts';
import type { Fact, NextStep, Value } from '../../../operations/define/outcome.ts';
import { type Incident, isIncidentOpen } from '../evaluation/incident.ts';
import type { Watch } from '../watch.ts';

interface ResponseOptions {
  readonly watch: Pick<Watch, 'name' | 'notify' | 'escalation'>;
  readonly incident: Incident;
  /** Why the watch's ping would reach no one, as the end of a sentence. Undefined if it would. */
  readonly notifyProblem?: string | undefined;
}

/** Returns facts about the response to an alert: the people notified, the acknowledgement, the escalation. */
export function responseFacts(options: ResponseOptions): readonly Fact[] {
  const { watch, incident, notifyProblem } = options;
  const { acknowledged, assignee, postedMs } = incident.response;
  const wasNotified = watch.notify !== undefined && postedMs !== null && notifyProblem === undefined;
  return [
    ...(wasNotified ? [{ label: 'Notified', value: toRecipientValue(watch.notify) }] : []),
    ...(acknowledged
      ? [
          { label: 'Acknowledged by', value: toPerson(acknowledged.userId) },
          { label: 'Acknowledged', value: { kind: 'time', timeMs: acknowledged.atMs } as const },
        ]
      : []),
    ...(assignee === null ? [] : [{ label: 'Assigned to', value: toPerson(assignee) }]),
    ...escalationFacts(options),
  ];
}

function escalationFacts({ watch: { escalation }, incident }: ResponseOptions): readonly Fact[] {
  if (!escalation) return [];
  const { acknowledged, escalation: result } = incident.response;
  const value = toRecipientValue(escalation.to);
  switch (result) {
    case 'sent':
      return [{ label: 'Escalated to', value }];
    case 'unknown':
      return [{ label: 'Possibly escalated to', value }];
    case 'failed':
      return [{ label: 'Could not be escalated to', value }];
    default:
      if (acknowledged || !isIncidentOpen(incident)) return [];
      return [
        { label: 'Escalates to', value },
        { label: 'If not acknowledged within', value: formatDuration(escalation.afterMs) },
      ];
  }
}

/** Returns why no one could be notified. */
export function responseNotes({ incident, notifyProblem }: ResponseOptions): readonly string[] {
  return notifyProblem !== undefined && isIncidentOpen(incident)
    ? [`No one was notified: ${notifyProblem}. Edit the watch to notify someone else.`]
    : [];
}

/** Returns the buttons with which people take over an alert. They work only for this alert. */
export function responseSteps({
  watch: { name },
  incident,
}: {
  readonly watch: Pick<Watch, 'name'>;
  readonly incident: Incident;
}): readonly NextStep[] {
  if (!isIncidentOpen(incident)) return [];
  const input = { name, alert: String(incident.beganMs) };
  return [
    ...(incident.response.acknowledged
      ? []
      : [{ label: 'Acknowledge', operation: 'watch acknowledge', input }]),
    { label: 'Assign', operation: 'watch assign', input, opensForm: true },
  ];
}

function toPerson(person: string): Value {
  return { kind: 'person', person };
}
