import { ifPermitted } from './if-permitted.ts';
import type { Present } from './operation.ts';
import type { Fact } from './outcome.ts';

/**
 * Makes what a confirmation shows: the facts that it is bound to, and others beside them. What a payload has beyond what we
 * understand stands beside: counters in it would change by every click.
 */
export function presentOf(bound: readonly Fact[], beside: readonly Fact[] = []): Present {
  return { facts: [...bound, ...beside], state: JSON.stringify(bound) };
}

/** Reads what a confirmation shows, under a label that tells where the key may not read it. */
export async function presentIfPermitted(label: string, read: () => Promise<Present>): Promise<Present> {
  const present = await ifPermitted(read);
  return typeof present === 'string' ? presentOf([{ label, value: present }]) : present;
}
