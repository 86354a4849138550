import type { Recipients } from '../../../auth/recipients.ts';
import type { Clock } from '../../../jobs/clock.ts';
import type { LabelVpsFor } from '../../../runs/team-labels.ts';
import type { Incident } from '../evaluation/incident.ts';
import type { Watch } from '../watch.ts';
import type { FormatIncidentOptions } from './format-incident.ts';

interface FormatOptionsDependencies {
  readonly recipients: Pick<Recipients, 'findProblem'>;
  readonly labelVpsFor: LabelVpsFor;
  readonly clock: Pick<Clock, 'now'>;
}

/** Loads the labels and the recipient problem that messages about an incident contain. */
export async function formatOptionsOf(
  watch: Watch,
  incident: Incident,
  { recipients, labelVpsFor, clock }: FormatOptionsDependencies,
): Promise<FormatIncidentOptions> {
  const { teamId, notify } = watch;
  return {
    watch,
    incident,
    nowMs: clock.now(),
    labelVps: await labelVpsFor(teamId),
    notifyProblem: notify === undefined ? undefined : await recipients.findProblem(teamId, notify),
  };
}
