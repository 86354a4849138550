import { redactResult } from '../../hosting/secret-redaction.ts';
import type { Fact, Outcome } from '../define/outcome.ts';
import { formatFacts } from './facts.ts';
import { labelSecrets } from './label-secrets.ts';

/**
 * Formats a payload of any shape: first the facts in `leading`, then its fields except those in
 * `omit`. Secrets are returned separately, to be shown once.
 */
export function formatResult(
  data: unknown,
  { leading = [], omit = [] }: { readonly leading?: readonly Fact[]; readonly omit?: readonly string[] } = {},
): Required<Pick<Outcome, 'facts' | 'secrets'>> {
  const { redacted, secrets } = redactResult(data);
  return {
    facts: [...leading, ...formatFacts(redacted, { omit }).map(markState)],
    secrets: labelSecrets(secrets),
  };
}

/** Marks a fact's value as a state, in the service's words. */
function markState(fact: Fact): Fact {
  const { label, value } = fact;
  const isState = /^(state|status)$/i.test(label) && typeof value === 'string';
  return isState ? { label, value: { kind: 'state', state: value } } : fact;
}
