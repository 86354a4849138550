import { type RedactedPayload, redactResult } from '../../hosting/profile/payload/secret-redaction.ts';
import { findVpsState } from '../../hosting/profile/values/records.ts';
import type { Outcome } from '../define/outcome.ts';
import { formatResult } from '../format/format-result.ts';
import { labelSecrets } from '../format/label-secrets.ts';

/** Fields that the title already shows. */
const titleFields = ['vps_name', 'action', 'os', 'state', 'status'];

/** Formats the reply to a VPS action: its state and the other facts. Secrets are returned separately. */
export function formatActionResult(data: unknown): Required<Pick<Outcome, 'facts' | 'secrets'>> {
  return formatParsedActionResult(redactResult(data));
}

/** Formats the reply to a VPS action whose secrets were already extracted. */
export function formatParsedActionResult({
  redacted,
  secrets,
}: RedactedPayload): ReturnType<typeof formatActionResult> {
  const state = findVpsState(redacted);
  const leading = state === undefined ? [] : [{ label: 'State', value: { kind: 'state', state } as const }];
  return {
    facts: formatResult(redacted, { leading, omit: titleFields }).facts,
    secrets: labelSecrets(secrets),
  };
}
