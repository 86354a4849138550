import { type ExtractedSecret, redactPayload } from '../payload/secret-redaction.ts';
import { findFlag } from '../values/flags.ts';
import { findState, findText, isRecord, normalizeFieldName, type ServiceRecord } from '../values/records.ts';
import { parseBytes } from '../values/units.ts';

/** A backup FTP space with its credentials separated. */
export interface BackupFtp {
  /** Undefined if the payload doesn't say. */
  readonly isActive?: boolean;
  readonly quotaBytes?: number;
  readonly usedBytes?: number;
  /** Host, port, user, password, and all other secrets, under any name. */
  readonly credentials: readonly ExtractedSecret[];
  /** The record without the credentials. */
  readonly redacted: ServiceRecord;
  /** The whole record including the credentials. Never show it. */
  readonly record: ServiceRecord;
}

const credentialField =
  /^(ftp|sftp|backup|backupftp)?(host|hostname|server|port|user|username|login|account|url|uri|address|rechner|benutzer|benutzername|utilisateur|usuario)$/;
const activeFields = ['active', 'enabled', 'isactive', 'isenabled', 'activated', 'aktiv', 'aktiviert'];
/** Matches groups that describe the space itself and not a part of it, such as its encryption. */
const spaceFieldPattern = /backup|ftp|space|storage|account|service|^(data|result|info|details|item)$/;
const activeStatePattern = /^(active|activated|enabled|on|ready|ok|running|up|available)$/i;
const inactiveStatePattern = /^(inactive|not[ _-]?active|deactivated|disabled|off|none|down|unavailable)$/i;
const quotaField =
  /^(quota|limit|total|size|max|maximum|capacity)(total|size|limit|max)?(bytes?|[kmgtp]i?b)?$/;
const usedField = /^(used|usage|usedspace|spaceused|quotaused|usedquota)(bytes?|[kmgtp]i?b)?$/;

/** Reads a backup FTP space from `data` itself or a nested field. */
export function readBackupFtp(data: unknown): BackupFtp {
  const record = isRecord(data) ? data : {};
  const { redacted, secrets } = redactPayload(data, {
    isSecretField: (field) => credentialField.test(normalizeFieldName(field)),
  });
  const isActive = findIsActive(record);
  const quotaBytes = findBytes(redacted, quotaField);
  const usedBytes = findBytes(redacted, usedField);
  return {
    ...(isActive !== undefined && { isActive }),
    ...(quotaBytes !== undefined && { quotaBytes }),
    ...(usedBytes !== undefined && { usedBytes }),
    credentials: secrets,
    redacted,
    record,
  };
}

const maxDepth = 2;

function findIsActive(record: ServiceRecord, depth = maxDepth): boolean | undefined {
  const flag = findFlag(record, activeFields);
  if (flag !== undefined) return flag;
  const state = findState(record) ?? '';
  if (activeStatePattern.test(state)) return true;
  if (inactiveStatePattern.test(state)) return false;
  if (depth === 0) return undefined;
  return Object.entries(record)
    .map(([field, value]) =>
      isRecord(value) && spaceFieldPattern.test(normalizeFieldName(field))
        ? findIsActive(value, depth - 1)
        : undefined,
    )
    .find((active) => active !== undefined);
}

function findBytes(record: ServiceRecord, name: RegExp, depth = maxDepth): number | undefined {
  const unit = findText(record, ['unit', 'units']);
  for (const [field, value] of Object.entries(record)) {
    const amount = unit !== undefined && typeof value === 'number' ? { value, unit } : value;
    const bytes = name.test(normalizeFieldName(field)) ? parseBytes(field, amount) : undefined;
    const inner = bytes ?? (isRecord(value) && depth > 0 ? findBytes(value, name, depth - 1) : undefined);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
