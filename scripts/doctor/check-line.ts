/** The result of one check. The message of a warning or an error says what to do. */
export interface CheckLine {
  readonly check: string;
  readonly status: 'OK' | 'warning' | 'error';
  readonly message: string;
}

/** Returns functions that make the lines of one check. */
export function createLines(check: string) {
  const withStatus = (status: CheckLine['status']) => (message: string) => ({ check, status, message });
  return { ok: withStatus('OK'), warning: withStatus('warning'), error: withStatus('error') };
}

/** Returns a check as a line of text in columns. */
export function formatCheckLine({ check, status, message }: CheckLine): string {
  return `${status.padEnd(8)} ${check.padEnd(16)} ${message}`;
}
