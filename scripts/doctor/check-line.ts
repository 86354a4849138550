/** The result of one check. The message of a warning or an error says what to do. */
export interface CheckLine {
  readonly check: string;
  readonly status: 'OK' | 'warning' | 'error';
  readonly message: string;
}
