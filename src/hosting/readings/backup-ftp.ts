import { bare, isRecord, type ServiceRecord, stateOf, textOf, valuesOf } from './records.ts';
import { type Secret, splitSecrets } from './results.ts';
import { bytesOf } from './units.ts';

/** A backup FTP space, its credentials apart from what can be shown. */
export interface BackupFtpReading {
  /** Absent where the payload does not tell. */
  readonly active?: boolean;
  readonly quotaBytes?: number;
  readonly usedBytes?: number;
  /** Host, port, user, password, whatever they are called, and every other secret. */
  readonly credentials: readonly Secret[];
  /** The record without the credentials. */
  readonly shown: ServiceRecord;
  /** The whole record, credentials included: not to be shown. */
  readonly record: ServiceRecord;
}

const credentialField =
  /^(ftp|sftp|backup|backupftp)?(host|hostname|server|port|user|username|login|account|url|uri|address)$/;
const activeFields = ['active', 'enabled', 'isactive', 'isenabled', 'activated'];
const activeState = /^(active|activated|enabled|on|ready|ok|running|up|available)$/i;
const inactiveState = /^(inactive|not[ _-]?active|deactivated|disabled|off|none|down|unavailable)$/i;
const quotaField =
  /^(quota|limit|total|size|max|maximum|capacity)(total|size|limit|max)?(bytes?|[kmgtp]i?b)?$/;
const usedField = /^(used|usage|usedspace|spaceused|quotaused|usedquota)(bytes?|[kmgtp]i?b)?$/;

/** Reads a backup FTP space, which may stand in `data` itself or in a field of it. */
export function readBackupFtp(data: unknown): BackupFtpReading {
  const record = isRecord(data) ? data : {};
  const { shown, secrets } = splitSecrets(data, { field: (field) => credentialField.test(bare(field)) });
  const active = activeIn(record);
  const quotaBytes = findBytes(shown, quotaField);
  const usedBytes = findBytes(shown, usedField);
  return {
    ...(active !== undefined && { active }),
    ...(quotaBytes !== undefined && { quotaBytes }),
    ...(usedBytes !== undefined && { usedBytes }),
    credentials: secrets,
    shown,
    record,
  };
}
const mostDepth = 2;

function activeIn(record: ServiceRecord, depth = mostDepth): boolean | undefined {
  const flag = valuesOf(record, activeFields).find((value) => typeof value === 'boolean');
  if (typeof flag === 'boolean') return flag;
  const state = stateOf(record) ?? '';
  if (activeState.test(state)) return true;
  if (inactiveState.test(state)) return false;
  if (depth === 0) return undefined;
  return Object.values(record)
    .map((value) => (isRecord(value) ? activeIn(value, depth - 1) : undefined))
    .find((active) => active !== undefined);
}

function findBytes(record: ServiceRecord, name: RegExp, depth = mostDepth): number | undefined {
  const unit = textOf(record, ['unit', 'units']);
  for (const [field, value] of Object.entries(record)) {
    const amount = unit !== undefined && typeof value === 'number' ? { value, unit } : value;
    const bytes = name.test(bare(field)) ? bytesOf(field, amount) : undefined;
    const inner = bytes ?? (isRecord(value) && depth > 0 ? findBytes(value, name, depth - 1) : undefined);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
