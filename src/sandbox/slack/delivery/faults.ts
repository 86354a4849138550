import type { Clock } from '../clock.ts';

/** Faults that wait for the next occasion, with what each takes after a colon. */
const pendingFaults = ['ack_delay', 'duplicate', 'expire_trigger', 'ratelimit'] as const;

type PendingFault = (typeof pendingFaults)[number];

/** A fault as it is written: `ack_delay:4000`, `ratelimit:chat.update`, `duplicate`. */
export interface Fault {
  readonly name: string;
  readonly detail: string | undefined;
}

/** A fault that waits, as it is written, and how often it has still to strike. */
export interface WaitingFault {
  readonly fault: string;
  readonly times: number;
}

/** A fault that struck, and when, by the sandbox's clock. */
export interface StruckFault {
  readonly fault: string;
  readonly at: number;
}

/** Most strikes remembered per workspace. */
const maxStruck = 20;

/** Faults that were asked for: those that have still to strike, and those that struck. */
export interface Faults {
  add(team: string, fault: Fault, times: number): void;
  /** Notes a fault that struck at once. */
  note(team: string, fault: Fault): void;
  /** Takes a fault that is due: its detail, or `''` where it has none. `matches` limits which detail counts. */
  take(team: string, name: PendingFault, matches?: (detail: string) => boolean): string | undefined;
  /** Those that wait, oldest first. */
  waiting(team: string): readonly WaitingFault[];
  /** The last that struck, newest first. */
  struck(team: string): readonly StruckFault[];
  /** Lets those of a workspace not strike any more. */
  callOff(team: string): void;
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

/** Writes a fault as it is asked for. */
function writeFault({ name, detail }: Fault): string {
  return detail ? `${name}:${detail}` : name;
}

interface Pending {
  readonly team: string;
  readonly fault: Fault;
  left: number;
}

/** Creates the faults of all workspaces; `changed` hears of each change with the workspace's id. */
export function createFaults(clock: Clock, changed: (team: string) => void): Faults {
  let pending: Pending[] = [];
  let strikes: (StruckFault & { readonly team: string })[] = [];

  function note(team: string, fault: Fault) {
    const others = strikes.filter((strike) => strike.team !== team);
    const own = strikes.filter((strike) => strike.team === team).slice(0, maxStruck - 1);
    strikes = [{ team, fault: writeFault(fault), at: clock.now() }, ...own, ...others];
    changed(team);
  }

  return {
    add(team, fault, times) {
      pending.push({ team, fault, left: times });
      changed(team);
    },
    note,
    take(team, name, matches = () => true) {
      const due = pending.find(
        ({ team: owner, fault }) => owner === team && fault.name === name && matches(fault.detail ?? ''),
      );
      if (!due) return undefined;
      due.left -= 1;
      pending = pending.filter(({ left }) => left > 0);
      note(team, due.fault);
      return due.fault.detail ?? '';
    },
    waiting: (team) =>
      pending
        .filter((one) => one.team === team)
        .map(({ fault, left }) => ({ fault: writeFault(fault), times: left })),
    struck: (team) =>
      strikes.filter((strike) => strike.team === team).map(({ fault, at }) => ({ fault, at })),
    callOff(team) {
      pending = pending.filter((one) => one.team !== team);
      changed(team);
    },
    clear() {
      pending = [];
      strikes = [];
    },
  };
}
