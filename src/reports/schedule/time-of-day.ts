const minuteMs = 60_000;

/** Gives how long after midnight a wall clock shows `HH:MM`, in ms. */
export function msAfterMidnight(timeOfDay: string): number {
  const [hours = 0, minutes = 0] = timeOfDay.split(':').map(Number);
  return (hours * 60 + minutes) * minuteMs;
}

/** Reads a time of the day as people write it (`9:05`, `09.05`, `0905`), as `HH:MM`; `undefined` for anything else. */
export function readTimeOfDay(text: string): string | undefined {
  const match = /^(\d{1,2})[:.](\d{2})$/.exec(text.trim()) ?? /^(\d{2})(\d{2})$/.exec(text.trim());
  if (!match) return undefined;
  const [, hours = '', minutes = ''] = match;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return `${hours.padStart(2, '0')}:${minutes}`;
}
