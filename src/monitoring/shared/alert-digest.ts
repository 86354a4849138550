import type { Fact } from '../../operations/define/outcome.ts';
import type { Period } from '../../time/periods.ts';
import { formatElapsed, formatShortList } from './text-format.ts';

export interface ReportedAlert {
  readonly watchName: string;
  readonly beganMs: number;
  /** `null` if the alert is open or the watch was stopped before all VPS recovered. */
  readonly endedMs: number | null;
  readonly isOpen: boolean;
  readonly vps: readonly string[];
  readonly acknowledgedMs: number | null;
  /** The link to an open alert's message. */
  readonly url?: string | undefined;
}

/** Lists the alerts open at any time in a period. Returns undefined if the workspace has no watches. */
export type ListAlerts = (teamId: string, period: Period) => Promise<readonly ReportedAlert[] | undefined>;

/** Maximum watches in the digest, and VPS per watch. */
const maxWatches = 5;
const maxVps = 5;

/** Maximum links. More would push the findings off a phone's first screen. */
const maxLinks = 3;

interface AlertDigest {
  readonly facts: readonly Fact[];
  readonly notes: readonly string[];
}

/** Formats which watches alerted about a report's VPS. Empty if there are no watches. */
export function formatAlertDigest(
  alerts: readonly ReportedAlert[] | undefined,
  vpsNames: readonly string[],
): AlertDigest {
  if (!alerts) return { facts: [], notes: [] };
  const reported = new Set(vpsNames);
  const relevant = alerts.filter(({ vps }) => vps.some((name) => reported.has(name)));
  const openCount = relevant.filter(({ isOpen }) => isOpen).length;
  const byWatch = [...Map.groupBy(relevant, ({ watchName }) => watchName)].sort(
    ([, a], [, b]) => b.length - a.length,
  );
  const more = byWatch.length - maxWatches;
  return {
    facts: [
      {
        label: 'Alerts',
        value:
          relevant.length === 0
            ? 'none'
            : `${relevant.length}${openCount === 0 ? '' : `, ${openCount} still open`}`,
      },
      ...relevant
        .flatMap(({ watchName: text, url }): readonly Fact[] =>
          url === undefined ? [] : [{ label: 'Open alert', value: { kind: 'link', url, text } }],
        )
        .slice(0, maxLinks),
    ],
    notes: [
      ...byWatch.slice(0, maxWatches).map(([name, those]) => formatWatchAlerts(name, those, reported)),
      ...(more > 0 ? [`${more} more watches alerted.`] : []),
    ],
  };
}

function formatWatchAlerts(
  name: string,
  alerts: readonly ReportedAlert[],
  reported: ReadonlySet<string>,
): string {
  const vps = [...new Set(alerts.flatMap((alert) => alert.vps))].filter((one) => reported.has(one));
  const lengths = alerts.flatMap(({ beganMs, endedMs }) => (endedMs === null ? [] : [endedMs - beganMs]));
  const totalMs = lengths.reduce((sum, lengthMs) => sum + lengthMs, 0);
  const openCount = alerts.filter(({ isOpen }) => isOpen).length;
  const unacknowledged = alerts.filter(({ acknowledgedMs }) => acknowledgedMs === null).length;
  const parts = [
    `${alerts.length === 1 ? '1 alert' : `${alerts.length} alerts`} about ${formatShortList(vps, maxVps)}`,
    ...(totalMs >= 60_000 ? [`${formatElapsed(totalMs)} in total`] : []),
    ...(openCount > 0 ? [`${openCount} still open`] : []),
    unacknowledged === 0 ? 'acknowledged' : `${unacknowledged} not acknowledged`,
  ];
  return `Watch "${name}": ${parts.join('; ')}.`;
}
