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
    ...(wasNotified ? [{ label: 'Paged', value: toRecipientValue(watch.notify) }] : []),
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

function escalationFacts({ watch: { escalation }, incident }: ResponseOptions): readonly Fact[] {
  if (!escalation) return [];
  const { acknowledged, escalation: result } = incident.response;
  const value = toRecipientValue(escalation.to);
  switch (result) {
    case 'sent':
      return [{ label: 'Then paged', value }];
    case 'failed':
      return [{ label: 'Could not page', value }];
    default: {
      if (acknowledged || !isIncidentOpen(incident)) return [];
      const { postedMs } = incident.response;
      const dueMs = postedMs === null ? undefined : postedMs + escalation.afterMs;
      return [
        { label: 'Pages next', value },
        dueMs === undefined
          ? { label: 'Unless acknowledged within', value: formatDuration(escalation.afterMs) }
          : { label: 'Unless acknowledged by', value: { kind: 'time', timeMs: dueMs } },
      ];
    }
  }
}

/** Returns why no one could be notified. */
export function responseNotes({ incident, notifyProblem }: ResponseOptions): readonly string[] {
  return notifyProblem !== undefined && isIncidentOpen(incident)
    ? [`No one was paged: ${notifyProblem}. Edit the watch to page someone else.`]
    : [];
}

/** An alert and the name of its watch. */
interface NamedAlert {
  readonly watch: Pick<Watch, 'name'>;
  readonly incident: Incident;
}

/** Returns the button that acknowledges an open alert. It works only for this alert. */
export function acknowledgeSteps({ watch: { name }, incident }: NamedAlert): readonly NextStep[] {
  if (!isIncidentOpen(incident) || incident.response.acknowledged) return [];
  const input = { name, alert: String(incident.beganMs) };
  return [{ label: 'Acknowledge', operation: 'watch acknowledge', input, isPrimary: true }];
}

/** Returns the button that hands an open alert to a person. It works only for this alert. */
export function assignSteps({ watch: { name }, incident }: NamedAlert): readonly NextStep[] {
  if (!isIncidentOpen(incident)) return [];
  const input = { name, alert: String(incident.beganMs) };
  return [{ label: 'Assign', operation: 'watch assign', input, opensForm: true }];
}

function toPerson(person: string): Value {
  return { kind: 'person', person };
}
