/**
 * Records in the database when processes can send calls, so that calls need not stop after Redis
 * lost its state if none can have been sent before. Implemented in `db/`. Its times are from the
 * database's clock.
 */
export interface SendRecord {
  /** Records that this process can send calls for `durationMs` from now. */
  extend(processId: string, durationMs: number): Promise<void>;
  /** Records that this process has stopped and sends nothing from now on. */
  finish(processId: string): Promise<void>;
  /**
   * Returns for how many ms no other process can have sent a call: negative if one still can,
   * infinite if none ever did.
   */
  quietForMs(processId: string): Promise<number>;
}
