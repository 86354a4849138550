/** Writes a moment as the API document writes `timestamp`: ISO 8601 with a numeric UTC offset. */
export function isoTime(atMs: number): string {
  return new Date(atMs).toISOString().replace('Z', '+00:00');
}
