import { RackhandError } from '../../../errors.ts';
import type { Outcome } from '../../../operations/define/outcome.ts';
import { assignSteps } from '../delivery/format-response.ts';
import type { Incident } from '../evaluation/incident.ts';
import type { Watch } from '../watch.ts';

/** Returns the error for an alert that isn't open. `isChosen` is false if the person named only the watch. */
export function alertOverError(name: string, isChosen = true): RackhandError {
  return new RackhandError(
    'input_invalid',
    isChosen ? `This alert of watch "${name}" is over.` : `Watch "${name}" has no open alert.`,
  );
}

const escalationNotes = {
  sent: 'It had already been escalated.',
  failed: "It couldn't be escalated.",
} as const;

export function formatAcknowledged(name: string, { escalation, alertState: { incident } }: Watch): Outcome {
  const result = incident?.response.escalation;
  const escalationNote = result ? escalationNotes[result] : "It won't be escalated.";
  return {
    title: `You acknowledged the alert of watch "${name}"`,
    notes: escalation ? [escalationNote] : [],
    next: incident ? assignSteps({ watch: { name }, incident }) : [],
  };
}

/** Formats the reply if someone else has already acknowledged the alert. */
export function formatTaken(name: string, incident: Incident, userId: string): Outcome {
  const { acknowledged } = incident.response;
  if (!acknowledged) throw alertOverError(name);
  return {
    title:
      acknowledged.userId === userId
        ? 'You have already acknowledged this alert'
        : 'Someone else has already acknowledged this alert',
    facts: [
      { label: 'By', value: { kind: 'person', person: acknowledged.userId } },
      { label: 'At', value: { kind: 'time', timeMs: acknowledged.atMs } },
    ],
    next: assignSteps({ watch: { name }, incident }),
  };
}
