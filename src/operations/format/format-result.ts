import { redactResult } from '../../hosting/secret-redaction.ts';
import type { Fact, NextStep, Outcome } from '../define/outcome.ts';
import { cutFacts, formatFacts, limitFacts } from './facts.ts';
import { labelSecrets } from './label-secrets.ts';

interface ResultOptions {
  /** Facts that come before the fields. */
  readonly leading?: readonly Fact[];
  readonly omit?: readonly string[];
}

/** Formats the reply to a change. Secrets are returned separately, to be shown once. */
export function formatResult(
  data: unknown,
  options: ResultOptions = {},
): Required<Pick<Outcome, 'facts' | 'secrets'>> {
  const { facts, secrets } = listFields(data, options);
  return { facts: cutFacts(facts), secrets };
}

/** Formats the reply to a read, with a button for the fields that aren't shown at first. */
export function formatFields(
  data: unknown,
  step: Parameters<typeof limitFacts>[1],
  options: ResultOptions = {},
): Required<Pick<Outcome, 'facts' | 'secrets'>> & { readonly more: readonly NextStep[] } {
  const { facts, secrets } = listFields(data, options);
  const { facts: shown, next } = limitFacts(facts, step);
  return { facts: shown, secrets, more: next };
}

function listFields(data: unknown, { leading = [], omit = [] }: ResultOptions) {
  const { redacted, secrets } = redactResult(data);
  const facts = [...leading, ...formatFacts(redacted, { omit }).map(markState)];
  return { facts, secrets: labelSecrets(secrets) };
}

/** Marks a fact's value as a state if its label says so. */
function markState(fact: Fact): Fact {
  const { label, value } = fact;
  const isState = /^(state|status)$/i.test(label) && typeof value === 'string';
  return isState ? { label, value: { kind: 'state', state: value } } : fact;
}
