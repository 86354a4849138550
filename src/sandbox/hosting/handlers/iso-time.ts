/** Formats a time like the API document's `timestamp`: ISO 8601 with a numeric UTC offset. */
export function formatIsoTime(atMs: number): string {
  return new Date(atMs).toISOString().replace('Z', '+00:00');
}
