import { getBackupFtp } from '../../hosting/endpoints/backup-ftp.ts';
import { type BackupFtp, readBackupFtp } from '../../hosting/payloads/backup-ftp.ts';
import { convertField } from '../../hosting/payloads/quantity.ts';
import { normalizeFieldName } from '../../hosting/payloads/record.ts';
import type { Fact, Outcome } from '../define/outcome.ts';
import type { Read } from '../define/read.ts';
import type { TargetState } from '../define/target-state.ts';
import { cutFacts, formatFacts } from '../format/facts.ts';
import { labelSecrets } from '../format/label-secrets.ts';
import { createTargetState, readTargetStateIfPermitted } from '../format/target-state.ts';

/** Normalized names of the fields that have their own fact and are therefore left out of the other facts. */
const shownStateFields = /^(vpsname|name|state|status|active|enabled)$/;
const shownSizeFields = /^(quota|used|usage|limit)/;

/** Formats the backup space in the reply to a change. Its credentials are returned separately, as secrets. */
export function formatBackupSpace(reading: BackupFtp): Pick<Outcome, 'facts' | 'secrets'> {
  return { facts: cutFacts(listBackupFacts(reading)), secrets: labelSecrets(reading.secrets) };
}

/** Returns all facts about a backup space except its credentials. */
export function listBackupFacts(reading: BackupFtp): readonly Fact[] {
  return [
    formatState(reading),
    ...formatUsage(reading),
    ...formatFacts(reading.redacted, { omit: listShownFields(reading) }),
  ];
}

function listShownFields(reading: BackupFtp): readonly string[] {
  return Object.entries(reading.redacted).flatMap(([field, value]) => {
    const isFigure =
      convertField(field, value, 'bytes') !== undefined && shownSizeFields.test(normalizeFieldName(field));
    return isFigure || shownStateFields.test(normalizeFieldName(field)) ? [field] : [];
  });
}

/** Reads the state of a backup space, without its credentials, for the confirmation card. */
export function readBackupSpaceState(read: Read, vps: string): Promise<TargetState> {
  return readTargetStateIfPermitted('State', async () => {
    const reading = readBackupFtp(await read(getBackupFtp, { params: { vps_name: vps } }), vps);
    return createTargetState([formatState(reading)], formatUsage(reading));
  });
}

function formatUsage({ usedBytes, quotaBytes }: BackupFtp): readonly Fact[] {
  const facts = [
    ['Used', usedBytes],
    ['Quota', quotaBytes],
  ] as const;
  return facts.flatMap(([label, bytes]) =>
    bytes === undefined ? [] : [{ label, value: { kind: 'bytes', bytes } }],
  );
}

function formatState({ isActive }: BackupFtp): Fact {
  const state = isActive === undefined ? 'not shown' : isActive ? 'active' : 'inactive';
  return { label: 'State', value: { kind: 'state', state } };
}
