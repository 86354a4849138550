/** Faults that wait for the next occasion, with what each takes after a colon. */
const pendingFaults = ['ack_delay', 'duplicate', 'expire_trigger', 'ratelimit'] as const;

type PendingFault = (typeof pendingFaults)[number];

/** A fault as it is written: `ack_delay:4000`, `ratelimit:chat.update`, `duplicate`. */
export interface Fault {
  readonly name: string;
  readonly detail: string | undefined;
}

/** Faults that were asked for and have not struck yet. */
export interface Faults {
  add(team: string, fault: Fault, times: number): void;
  /** Takes a fault that is due: its detail, or `''` where it has none. `matches` limits which detail counts. */
  take(team: string, name: PendingFault, matches?: (detail: string) => boolean): string | undefined;
  clear(): void;
}

/** Splits a fault into its name and what follows the first colon. */
export function parseFault(text: string): Fault {
  const colon = text.indexOf(':');
  return colon < 0
    ? { name: text, detail: undefined }
    : { name: text.slice(0, colon), detail: text.slice(colon + 1) };
}

/** Tells whether a fault waits for an occasion; the others strike at once. */
export function isPendingFault(name: string): name is PendingFault {
  return pendingFaults.some((known) => known === name);
}

export function createFaults(): Faults {
  const pending: { team: string; name: string; detail: string; left: number }[] = [];
  return {
    add(team, { name, detail = '' }, times) {
      pending.push({ team, name, detail, left: times });
    },
    take(team, name, matches = () => true) {
      const due = pending.find(
        (fault) => fault.left > 0 && fault.team === team && fault.name === name && matches(fault.detail),
      );
      if (due) due.left -= 1;
      return due?.detail;
    },
    clear: () => void pending.splice(0),
  };
}
