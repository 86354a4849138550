import type { Fact } from '../define/outcome.ts';
import type { TargetState } from '../define/target-state.ts';
import { readIfPermitted } from './read-if-permitted.ts';

/**
 * Creates a target state. The confirmation is bound to the facts in `bound` only. Unrecognized
 * fields belong into `unbound`, because counters among them would change with every click.
 */
export function createTargetState(bound: readonly Fact[], unbound: readonly Fact[] = []): TargetState {
  return { facts: [...bound, ...unbound], fingerprint: JSON.stringify(bound) };
}

/**
 * Reads a target state. If the API key isn't permitted to read it, returns a single fact with this
 * label that says so.
 */
export async function readTargetStateIfPermitted(
  label: string,
  read: () => Promise<TargetState>,
): Promise<TargetState> {
  const present = await readIfPermitted(read);
  return typeof present === 'string' ? createTargetState([{ label, value: present }]) : present;
}
