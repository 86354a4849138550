import { parseQuietHours, quietHoursEndMs } from '../monitoring/shared/time/quiet-hours.ts';
import { weekMs } from '../time/units.ts';
import { createWallClock } from '../time/wall-clock.ts';

/**
 * The choices for which finished runs a person gets a message about, with their labels in the form.
 */
export const runNoticeLabels = {
  off: 'Never',
  failed: 'When it fails',
  ended: 'When it is done or fails',
} as const;

export const listStyleLabels = { table: 'A table', compact: 'One line per VPS' } as const;

export const trafficUnitLabels = { bytes: 'Bytes: MiB/s', bits: 'Bits: Mbit/s' } as const;

/** The settings that a person can change for themselves. */
export interface PersonalSettings {
  readonly notify: keyof typeof runNoticeLabels;
  readonly lists: keyof typeof listStyleLabels;
  /** The unit of network traffic in live figures and graphs. */
  readonly traffic: keyof typeof trafficUnitLabels;
  /** An IANA time zone. If undefined, the zone of the Slack profile is used. */
  readonly zone: string | undefined;
  /** Quiet hours as typed. */
  readonly quiet: string | undefined;
}

export const defaultSettings: PersonalSettings = {
  notify: 'off',
  lists: 'table',
  traffic: 'bytes',
  zone: undefined,
  quiet: undefined,
};

/** If a time is within quiet hours, returns when they end. Returns undefined otherwise. */
export function quietUntilMs(quiet: string | undefined, zone: string, nowMs: number): number | undefined {
  const windows = parseQuietHours(quiet ?? '') ?? [];
  if (windows.length === 0) return undefined;
  const clock = createWallClock(zone);
  const wallMs = clock.wallMsAt(nowMs);
  const endMs = endOfWindows(windows, wallMs);
  if (endMs === undefined) return undefined;
  const untilMs = clock.firstMsAt(endMs);
  // In an hour that comes twice, the first instant with this wall time can be past.
  return untilMs > nowMs ? untilMs : nowMs + (endMs - wallMs);
}

/** Returns whether quiet hours cover the whole week, so that no message could ever be sent. */
export function isAlwaysQuiet(windows: Windows): boolean {
  return endOfWindows(windows, 0) === Number.POSITIVE_INFINITY;
}

type Windows = NonNullable<ReturnType<typeof parseQuietHours>>;

/** Returns when the last of the adjacent windows ends, as a wall time. */
function endOfWindows(windows: Windows, wallMs: number): number | undefined {
  let endMs: number | undefined;
  for (let next = quietHoursEndMs(windows, wallMs); next !== undefined; ) {
    if (next - wallMs > weekMs) return Number.POSITIVE_INFINITY;
    endMs = next;
    next = quietHoursEndMs(windows, next);
  }
  return endMs;
}
