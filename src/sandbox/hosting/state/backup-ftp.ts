import type { Random } from './random.ts';

export interface FtpCredentials {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** A VPS's backup space, whether it is active or not. */
export interface BackupFtpSpace {
  readonly quota_gb: number;
  used_gb: number;
  /** `null` while the space is inactive. */
  credentials: FtpCredentials | null;
}

/** Creates credentials for a VPS's backup space, with a new password. */
export function createFtpCredentials(vpsName: string, random: Random): FtpCredentials {
  return {
    host: 'backup-ftp.example.net',
    port: 21,
    user: vpsName.toLowerCase(),
    password: random.password(),
  };
}
