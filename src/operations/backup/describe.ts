import { getBackupFtp } from '../../hosting/endpoints/backup-ftp.ts';
import { type BackupFtpReading, readBackupFtp } from '../../hosting/readings/backup-ftp.ts';
import { bare } from '../../hosting/readings/records.ts';
import { readFacts } from '../facts.ts';
import { nameSecrets } from '../name-secrets.ts';
import type { Present, Read } from '../operation.ts';
import type { Fact, Outcome } from '../outcome.ts';
import { presentIfPermitted, presentOf } from '../present.ts';

/** What is said in words or in figures already, by its bare name. */
const saidInWords = /^(vpsname|name|state|status|active|enabled)$/;
const saidInBytes = /^(quota|used|usage|limit)/;

/** Turns a backup FTP space into facts, and its credentials into secrets. */
export function describeBackupFtp(reading: BackupFtpReading): Pick<Outcome, 'facts' | 'secrets'> {
  return {
    facts: [
      stateFact(reading),
      ...usageFacts(reading),
      ...readFacts(reading.shown, { without: saidAlready(reading) }),
    ],
    secrets: nameSecrets(reading.credentials),
  };
}

function saidAlready(reading: BackupFtpReading): readonly string[] {
  const hasFigures = usageFacts(reading).length > 0;
  return Object.entries(reading.shown).flatMap(([field, value]) => {
    const isFigure = hasFigures && typeof value !== 'object' && saidInBytes.test(bare(field));
    return isFigure || saidInWords.test(bare(field)) ? [field] : [];
  });
}

/** Reads what a confirmation shows of a backup FTP space; its credentials are not among it. */
export function presentBackupFtp(read: Read, vps: string): Promise<Present> {
  return presentIfPermitted('State', async () => {
    const reading = readBackupFtp(await read(getBackupFtp, { params: { vps_name: vps } }));
    return presentOf([stateFact(reading)], usageFacts(reading));
  });
}

function usageFacts({ usedBytes, quotaBytes }: BackupFtpReading): readonly Fact[] {
  const facts = [
    ['Used', usedBytes],
    ['Quota', quotaBytes],
  ] as const;
  return facts.flatMap(([label, bytes]) => (bytes === undefined ? [] : [{ label, value: { bytes } }]));
}

function stateFact({ active }: BackupFtpReading): Fact {
  const state = active === undefined ? 'not shown' : active ? 'active' : 'inactive';
  return { label: 'State', value: { state } };
}
