import type { Database } from '../../db/engines/database.ts';
import type { RowReader } from '../../db/row-reader.ts';
import type { Alert, ListAlerts } from '../shared/alerts/alert.ts';
import { isIncidentOpen } from './evaluation/incident.ts';
import { createPastAlertStore } from './past-alert-store.ts';
import type { Watch } from './watch.ts';
import type { WatchStore } from './watch-store.ts';

/** Creates the function that lists the open and the ended alerts of a workspace. */
export function createAlertList(
  db: Database,
  store: Pick<WatchStore, 'list'>,
  rowReader?: RowReader,
): ListAlerts {
  const past = createPastAlertStore(db, rowReader);
  return async (teamId, period) => {
    const ended = await past.list(teamId, period);
    const watches = await store.list(teamId);
    if (watches.length === 0 && ended.length === 0) return undefined;
    const current = watches
      .flatMap(toAlert)
      .filter(({ beganMs }) => beganMs >= period.fromMs && beganMs < period.untilMs);
    return [...ended, ...current];
  };
}

function toAlert({ name, alertState: { incident } }: Watch): readonly Alert[] {
  if (!incident) return [];
  const members = Object.entries(incident.members);
  const isOpen = isIncidentOpen(incident);
  return [
    {
      watchName: name,
      beganMs: incident.beganMs,
      endedMs: isOpen ? null : Math.max(...members.flatMap(([, { endedMs }]) => endedMs ?? [])),
      isOpen,
      vps: members.map(([vps]) => vps),
      acknowledgedMs: incident.response.acknowledged?.atMs ?? null,
    },
  ];
}
