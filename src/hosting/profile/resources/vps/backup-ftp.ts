import { type ExtractedSecret, redactOneTimeResult, redactPayload } from '../../../secret-redaction.ts';
import {
  type FieldCandidate,
  listDeclaredFields,
  openPlaces,
  parseReadingNumber,
} from '../../readings/places.ts';
import { type Reading, rankField } from '../../readings/reading.ts';
import { backupReadings } from '../../readings/service-readings.ts';
import { parseFlag } from '../../values/flags.ts';
import {
  findText,
  isRecord,
  listStates,
  normalizeFieldName,
  type ServiceRecord,
} from '../../values/records.ts';

/** A backup FTP space with its credentials separated. */
export interface BackupFtp {
  /** Undefined if the payload doesn't say. */
  readonly isActive?: boolean;
  readonly quotaBytes?: number;
  readonly usedBytes?: number;
  /** Host, port, user, password, and other secrets that their names reveal. */
  readonly credentials: readonly ExtractedSecret[];
  /** Everything that isn't known to be harmless. */
  readonly secrets: readonly ExtractedSecret[];
  /** The record without the secrets. */
  readonly redacted: ServiceRecord;
  /** The whole record including the credentials. Never show it. */
  readonly record: ServiceRecord;
}

const credentialField =
  /^(ftp|sftp|backup|backupftp)?(host|hostname|server|port|user|username|login|account|url|uri|address|rechner|benutzer|benutzername|utilisateur|usuario)$/;
/** Matches groups that describe the space itself and not a part of it, such as its encryption. */
const spaceFieldPattern = /backup|ftp|space|storage|account|service|^(data|result|info|details|item)$/;
const activeStatePattern = /^(active|activated|enabled|on|ready|ok|running|up|available)$/i;
const inactiveStatePattern = /^(inactive|not[ _-]?active|deactivated|disabled|off|none|down|unavailable)$/i;
/** Reads a backup FTP space from `data` itself or a nested field. */
export function readBackupFtp(data: unknown, vpsName?: string): BackupFtp {
  const record = isRecord(data) ? data : {};
  const { redacted, secrets: credentials } = redactPayload(data, {
    isSecretField: (field) => credentialField.test(normalizeFieldName(field)),
  });
  const places = openPlaces(data);
  for (const { path } of credentials)
    places.note(backupReadings.credentials, { record: undefined, path, isCertain: true });
  const isActive = places.find(backupReadings.active, record, parseActive, () => listActive(record));
  const quotaBytes = places.findNumber(backupReadings.quota, record, () =>
    listBytes(redacted, backupReadings.quota),
  );
  const usedBytes = places.findNumber(backupReadings.used, record, () =>
    listBytes(redacted, backupReadings.used),
  );
  return {
    ...(isActive !== undefined && { isActive }),
    ...(quotaBytes !== undefined && { quotaBytes }),
    ...(usedBytes !== undefined && { usedBytes }),
    credentials,
    ...redactOneTimeResult(data, vpsName === undefined ? [] : [vpsName]),
    record,
  };
}

const maxDepth = 2;

/** Parses a flag, or a word such as `enabled`. */
function parseActive(value: unknown): boolean | undefined {
  const state = typeof value === 'string' ? value : '';
  if (activeStatePattern.test(state)) return true;
  return inactiveStatePattern.test(state) ? false : parseFlag(value);
}

function listActive(record: ServiceRecord, path: readonly string[] = []): readonly FieldCandidate<boolean>[] {
  const own = [
    ...listDeclaredFields(backupReadings.active, record).map(({ field, value }) => ({
      path: [field],
      value: parseFlag(value),
    })),
    ...listStates(record, false).map((state) => ({ path: state.path, value: parseActive(state.value) })),
  ].flatMap(({ path: inner, value }) => (value === undefined ? [] : [{ path: [...path, ...inner], value }]));
  if (own.length > 0 || path.length >= maxDepth) return own;
  return Object.entries(record).flatMap(([field, value]) =>
    isRecord(value) && spaceFieldPattern.test(normalizeFieldName(field))
      ? listActive(value, [...path, field])
      : [],
  );
}

function listBytes(
  record: ServiceRecord,
  reading: Reading,
  path: readonly string[] = [],
): readonly FieldCandidate<number>[] {
  const unit = findText(record, ['unit', 'units']);
  return Object.entries(record).flatMap(([field, value]): readonly FieldCandidate<number>[] => {
    const inner = [...path, field];
    const amount = unit !== undefined && typeof value === 'number' ? { value, unit } : value;
    const bytes = rankField(reading, field) < 0 ? undefined : parseReadingNumber(reading, amount, field);
    if (bytes !== undefined) return [{ path: inner, value: bytes }];
    return isRecord(value) && path.length < maxDepth ? listBytes(value, reading, inner) : [];
  });
}
