/** Formats a time (epoch seconds) as local time in a time zone: `2030-12-31T23:59`. */
export function formatZonedTime(seconds: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(seconds * 1000);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}

/**
 * Returns the time (epoch seconds) at which a time zone's clocks show a local time such as
 * `2030-12-31T23:59`. If that happens twice, returns the earlier time. A skipped local time is
 * moved forward by the length of the gap.
 */
export function parseZonedTime(clock: string, timeZone: string): number | undefined {
  const wanted = Date.parse(`${clock}Z`);
  if (Number.isNaN(wanted)) return undefined;
  const offsetMs = (ms: number) => Date.parse(`${formatZonedTime(ms / 1000, timeZone)}Z`) - ms;
  const dayMs = 86_400_000;
  const [before, after] = [offsetMs(wanted - dayMs), offsetMs(wanted + dayMs)];
  const fitting = [wanted - before, wanted - after].filter((ms) => offsetMs(ms) === wanted - ms);
  return Math.floor((fitting.length > 0 ? Math.min(...fitting) : wanted - before) / 1000);
}
