import type { Fact } from '../define/outcome.ts';
import type { TargetState } from '../define/target-state.ts';
import { readIfPermitted } from './read-if-permitted.ts';

/**
 * Creates a target state. The confirmation is bound only to the facts in `bound`. Unrecognized fields
 * belong in `unbound`, because some of them may be counters that differ at every click.
 */
export function createTargetState(bound: readonly Fact[], unbound: readonly Fact[] = []): TargetState {
  return { facts: [...bound, ...unbound], fingerprint: toFingerprint(bound) };
}

export function toFingerprint(bound: readonly Fact[]): string {
  return JSON.stringify(bound);
}

/** Returns the facts that a confirmation was bound to. */
export function parseFingerprint(fingerprint: string): readonly Fact[] {
  return JSON.parse(fingerprint);
}

export function findFactText(facts: readonly Fact[], label: string): string | undefined {
  const value = facts.find((fact) => fact.label === label)?.value;
  return typeof value === 'string' ? value : undefined;
}

/** Reads a target state. If the service denies access, returns one fact, labeled `label`, that says so. */
export async function readTargetStateIfPermitted(
  label: string,
  read: () => Promise<TargetState>,
): Promise<TargetState> {
  const present = await readIfPermitted(read);
  return typeof present === 'string' ? createTargetState([{ label, value: present }]) : present;
}
