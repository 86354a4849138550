import type { Clock } from '../clock.ts';

/** Faults that wait for the next matching event. Some have a detail, which is written after a colon. */
const pendingFaultNames = ['ack_delay', 'duplicate', 'expire_trigger', 'ratelimit', 'refuse_block'] as const;

type PendingFaultName = (typeof pendingFaultNames)[number];

/** A fault. People write it as `ack_delay:4000`, `ratelimit:chat.update` or `duplicate`. */
export interface Fault {
  readonly name: string;
  readonly detail: string | undefined;
}

/** A pending fault as text, and how many more times it will trigger. */
export interface PendingFault {
  readonly fault: string;
  readonly times: number;
}

/** A triggered fault, and when it was triggered by the sandbox's clock. */
export interface TriggeredFault {
  readonly fault: string;
  readonly at: number;
}

/** How many triggered faults are kept for each workspace. */
const maxTriggeredFaults = 20;

/** The injected faults: pending and triggered ones. */
export interface FaultQueue {
  add(team: string, fault: Fault, times: number): void;
  /** Records a fault that took effect immediately. */
  recordTriggered(team: string, fault: Fault): void;
  /**
   * Removes a matching pending fault and returns its detail, or `''` if it has none. Returns
   * undefined if no fault matches. `matches` filters by detail.
   */
  consume(team: string, name: PendingFaultName, matches?: (detail: string) => boolean): string | undefined;
  /** Returns the pending faults, oldest first. */
  pending(team: string): readonly PendingFault[];
  /** Returns the latest triggered faults, newest first. */
  triggered(team: string): readonly TriggeredFault[];
  /** Cancels all pending faults of a workspace. */
  cancelPending(team: string): void;
  clear(): void;
}

/** Splits a fault into its name and the detail after the first colon. */
export function parseFault(text: string): Fault {
  const colon = text.indexOf(':');
  return colon < 0
    ? { name: text, detail: undefined }
    : { name: text.slice(0, colon), detail: text.slice(colon + 1) };
}

/** Returns whether a fault waits for a matching event. Other faults take effect immediately. */
export function isPendingFaultName(name: string): name is PendingFaultName {
  return pendingFaultNames.some((known) => known === name);
}

/** Formats a fault as it was requested. */
function formatFault({ name, detail }: Fault): string {
  return detail ? `${name}:${detail}` : name;
}

interface PendingEntry {
  readonly team: string;
  readonly fault: Fault;
  left: number;
}

/**
 * Creates the fault queue of all workspaces. Calls `onChange` with the workspace's ID on each
 * change.
 */
export function createFaultQueue(clock: Clock, onChange: (team: string) => void): FaultQueue {
  let pending: PendingEntry[] = [];
  let strikes: (TriggeredFault & { readonly team: string })[] = [];

  function recordTriggered(team: string, fault: Fault) {
    const others = strikes.filter((strike) => strike.team !== team);
    const own = strikes.filter((strike) => strike.team === team).slice(0, maxTriggeredFaults - 1);
    strikes = [{ team, fault: formatFault(fault), at: clock.now() }, ...own, ...others];
    onChange(team);
  }

  return {
    add(team, fault, times) {
      pending.push({ team, fault, left: times });
      onChange(team);
    },
    recordTriggered,
    consume(team, name, matches = () => true) {
      const due = pending.find(
        ({ team: owner, fault }) => owner === team && fault.name === name && matches(fault.detail ?? ''),
      );
      if (!due) return undefined;
      due.left -= 1;
      pending = pending.filter(({ left }) => left > 0);
      recordTriggered(team, due.fault);
      return due.fault.detail ?? '';
    },
    pending: (team) =>
      pending
        .filter((one) => one.team === team)
        .map(({ fault, left }) => ({ fault: formatFault(fault), times: left })),
    triggered: (team) =>
      strikes.filter((strike) => strike.team === team).map(({ fault, at }) => ({ fault, at })),
    cancelPending(team) {
      pending = pending.filter((one) => one.team !== team);
      onChange(team);
    },
    clear() {
      pending = [];
      strikes = [];
    },
  };
}
