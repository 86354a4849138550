import { readResultSecrets } from '../hosting/readings/results.ts';
import { readFacts } from './facts.ts';
import { nameSecrets } from './name-secrets.ts';
import type { Fact, Outcome } from './outcome.ts';

/**
 * Tells what the service answered, whatever its shape: the facts to be read, after those that are known already, and the secrets
 * in it, to be shown once. The payload's own fields named in `without` are left out.
 */
export function tellResult(
  data: unknown,
  {
    known = [],
    without = [],
  }: { readonly known?: readonly Fact[]; readonly without?: readonly string[] } = {},
): Required<Pick<Outcome, 'facts' | 'secrets'>> {
  const { shown, secrets } = readResultSecrets(data);
  return {
    facts: [...known, ...readFacts(shown, { without }).map(withState)],
    secrets: nameSecrets(secrets),
  };
}

/** Marks the service's own word for a state as one. */
function withState(fact: Fact): Fact {
  const { label, value } = fact;
  const isState = /^(state|status)$/i.test(label) && typeof value === 'string';
  return isState ? { label, value: { state: value } } : fact;
}
