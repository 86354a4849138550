import { findVpsState } from '../../hosting/payloads/record.ts';
import { type RedactedPayload, redactOneTimeResult, redactResult } from '../../hosting/secret-redaction.ts';
import type { Outcome } from '../define/outcome.ts';
import { formatResult } from '../format/format-result.ts';
import { labelSecrets } from '../format/label-secrets.ts';

/** Fields that the title already shows. */
const titleFields = ['vps_name', 'action', 'os', 'state', 'status'];

/**
 * Matches actions that create no secrets. Any other action could reset a password, or start a rescue
 * system with one.
 */
const powerActionPattern =
  /^(?:power[-_]?)?(?:reboot|restart|reset|start|stop|shutdown|boot|on|off|poweron|poweroff|pause|resume|suspend|unsuspend)$/i;

/** Formats the reply to a VPS action: its state and the other facts. Secrets are returned separately. */
export function formatActionResult(
  data: unknown,
  { vps, action }: { readonly vps: string; readonly action: string },
): Required<Pick<Outcome, 'facts' | 'secrets'>> {
  const isPowerAction = powerActionPattern.test(action);
  return formatParsedActionResult(
    isPowerAction ? redactResult(data) : redactOneTimeResult(data, [vps, action]),
  );
}

/** Formats the reply to a VPS action whose secrets have already been extracted. */
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
