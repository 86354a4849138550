/** Writes a state of a run by symbol and word. */
export const statusWords = {
  refused: '🚫 Refused',
  waiting: '⏸️ Waiting',
  queued: '⏳ Queued',
  sent: '🔄 Running',
  done: '✅ Done',
  failed: '❌ Failed',
  unknown: '❓ Outcome unknown',
  expired: '💤 Not run',
} as const;
