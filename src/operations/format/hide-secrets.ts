import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { createSecretMatcher } from '../../hosting/secret-matcher.ts';
import { redactOneTimeResult, redactResult } from '../../hosting/secret-redaction.ts';
import type { RawInput } from '../define/arguments/raw-input.ts';
import type { Outcome } from '../define/outcome.ts';
import type { DisplayNames } from '../define/target-state.ts';

/** A payload that an outcome was built from. */
export interface ShownPayload {
  readonly data: unknown;
  /** Whether any value in the payload can be a secret, as in a backup space's credentials. */
  readonly hasCredentials: boolean;
}

export const hiddenText = 'hidden';

/**
 * Hides every text in an outcome that contains a secret from one of its payloads. `names` stay visible:
 * the text that the person typed, and the labels of the VPS.
 */
export async function hideSecrets(
  outcome: Outcome,
  payloads: readonly ShownPayload[],
  names: readonly string[],
): Promise<Outcome> {
  const secrets: string[] = [];
  for (const [index, { data, hasCredentials }] of payloads.entries()) {
    // A report has hundreds of payloads, and searching them all at once would delay acks.
    if (index > 0) await yieldToEventLoop();
    const found = hasCredentials ? redactOneTimeResult(data, names) : redactResult(data);
    for (const { value } of found.secrets) secrets.push(value);
  }
  if (secrets.length === 0) return outcome;
  const containsSecret = createSecretMatcher(secrets, names);
  const hide = <Value>(value: Value): Value => hideIn(value, containsSecret) as Value;
  const { secrets: ownSecrets, next, choiceSteps, ...shown } = outcome;
  return {
    ...hide(shown),
    ...(ownSecrets && { secrets: ownSecrets }),
    ...(next && { next }),
    ...(choiceSteps && { choiceSteps }),
  };
}

/** Returns what a person typed or chose in a request, and the labels of its VPS. */
export function listNames({
  input,
  displayNames = {},
}: {
  readonly input: RawInput;
  readonly displayNames?: DisplayNames | undefined;
}): readonly string[] {
  const typed = Object.values(input)
    .flat()
    .filter((value) => typeof value === 'string');
  return [...typed, ...Object.values(displayNames)].flatMap((text) => [text, ...text.split(/[\s()]+/)]);
}

function hideIn(value: unknown, containsSecret: (text: string) => boolean): unknown {
  if (typeof value === 'string') return containsSecret(value) ? hiddenText : value;
  if (Array.isArray(value)) return value.map((item) => hideIn(item, containsSecret));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [field, hideIn(inner, containsSecret)]),
  );
}
