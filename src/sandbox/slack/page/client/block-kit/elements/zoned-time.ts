/** Writes a moment (seconds since 1970) as a zone's clock shows it: `2030-12-31T23:59`. */
export function clockAt(seconds: number, timeZone: string): string {
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
 * Finds the moment at which a zone's clock shows `2030-12-31T23:59`: the earlier one where it shows it twice, and where
 * it is skipped, the one as long after the gap as it would have been.
 */
export function momentAt(clock: string, timeZone: string): number | undefined {
  const wanted = Date.parse(`${clock}Z`);
  if (Number.isNaN(wanted)) return undefined;
  const offsetMs = (ms: number) => Date.parse(`${clockAt(ms / 1000, timeZone)}Z`) - ms;
  const dayMs = 86_400_000;
  const [before, after] = [offsetMs(wanted - dayMs), offsetMs(wanted + dayMs)];
  const fitting = [wanted - before, wanted - after].filter((ms) => offsetMs(ms) === wanted - ms);
  return Math.floor((fitting.length > 0 ? Math.min(...fitting) : wanted - before) / 1000);
}
