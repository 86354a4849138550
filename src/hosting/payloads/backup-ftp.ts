import { isUsualName } from '../harmless-fields.ts';
import { type ExtractedSecret, redactOneTimeResult, redactPayload } from '../secret-redaction.ts';
import { backupValues, type KnownValue } from './known-values.ts';
import { type Candidate, listCandidates, listTableFields, openMatcher } from './matcher.ts';
import { isRecord, normalizeFieldName, omitUndefined, parseActive, type ServiceRecord } from './record.ts';

/** A backup FTP space with its credentials separated. */
export interface BackupFtp {
  /** Whether the space is active. Undefined if the payload doesn't say. */
  readonly isActive?: boolean;
  readonly quotaBytes?: number;
  readonly usedBytes?: number;
  /** Host, port, user, password, and other fields whose names suggest a secret. */
  readonly credentials: readonly ExtractedSecret[];
  /** Everything that isn't known to be harmless. */
  readonly secrets: readonly ExtractedSecret[];
  /** The record without the secrets. */
  readonly redacted: ServiceRecord;
  /** The whole record including the credentials. Never show it. */
  readonly record: ServiceRecord;
}

const credentialField =
  /^(ftp|sftp|backup|backupftp)?(host|hostname|server|port|user|username|login|account|url|uri|address)$/;
/** Matches field names of objects that describe the space itself, rather than a part of it such as its encryption. */
const spaceField = /backup|ftp|space|storage|account|service|quota|^(data|doc|result|info|details|item)$/;
const maxDepth = 2;

/** Reads a backup FTP space from `data` itself or a nested field. */
export function readBackupFtp(data: unknown, vpsName?: string): BackupFtp {
  const record = isRecord(data) ? data : {};
  const { redacted: amounts, secrets: credentials } = redactPayload(data, {
    isSecretField: (field) => credentialField.test(normalizeFieldName(field)),
  });
  const matcher = openMatcher(data);
  // Noted field names are stored unchanged, so an unusual name isn't noted: it could be a password.
  for (const { path } of credentials)
    matcher.note(backupValues.credentials, path.every(isUsualName) ? path : undefined, '');
  const place = { record, address: [] };
  const isActive = matcher.flag(backupValues.active, place, listInside(record, listActive));
  const readBytes = (known: KnownValue) =>
    matcher.number(
      known,
      place,
      listInside(amounts, (inner) => listCandidates(known, inner)),
    );
  const [quotaBytes, usedBytes] = [readBytes(backupValues.quota), readBytes(backupValues.used)];
  return {
    ...omitUndefined({ isActive, quotaBytes, usedBytes }),
    credentials,
    ...redactOneTimeResult(data, vpsName === undefined ? [] : [vpsName]),
    record,
  };
}

/** Lists the candidates in a record. If there are none, lists those in its objects that describe the space. */
function listInside(
  record: ServiceRecord,
  list: (record: ServiceRecord) => readonly Candidate[],
  path: readonly string[] = [],
): readonly Candidate[] {
  const own = list(record).map((one) => ({ ...one, path: [...path, ...one.path] }));
  if (own.length > 0 || path.length >= maxDepth) return own;
  return Object.entries(record).flatMap(([field, value]) =>
    isRecord(value) && spaceField.test(normalizeFieldName(field))
      ? listInside(value, list, [...path, field])
      : [],
  );
}

/** Lists a record's values that say whether the space is active: flags, and words such as `enabled`. */
function listActive(record: ServiceRecord): readonly Candidate[] {
  return listTableFields(backupValues.active, record).flatMap(({ field, content }) => {
    const value = parseActive(content);
    return value === undefined ? [] : [{ path: [field], value }];
  });
}
