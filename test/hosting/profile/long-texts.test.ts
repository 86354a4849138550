import { expect, test } from 'vitest';
import { readLiveMetrics } from '../../../src/hosting/profile/metrics/live/live-metrics.ts';
import { readBackupFtp } from '../../../src/hosting/profile/resources/vps/backup-ftp.ts';
import { readReinstallOptions } from '../../../src/hosting/profile/resources/vps/reinstall-options.ts';
import { readSnapshots } from '../../../src/hosting/profile/resources/vps/snapshots.ts';
import { containsSecret } from '../../../src/hosting/secret-detection.ts';
import { redactResult } from '../../../src/hosting/secret-redaction.ts';

// The names of snapshots and VPS are chosen by the service's customers, and one process reads those of
// all workspaces. Text that is read again from each of its characters would stop it for minutes.
const chars = 200_000;
const fill = (part: string) => part.repeat(chars / part.length);

const spaces = `a${fill(' ')}b`;

test.each<[string, (text: string) => unknown, string]>([
  ['a field of a snapshot', (text) => readSnapshots({ [text]: { name: 'x', [text]: 'y' } }), spaces],
  ['a field of the backup space', (text) => readBackupFtp({ [text]: { name: 'x', [text]: 1 } }), spaces],
  ['a list of systems', (text) => readReinstallOptions({ os: text }), spaces],
  ['a choice of the body', (text) => readReinstallOptions({ body: { delivery: text } }), spaces],
  ['a field of live data', (text) => readLiveMetrics({ [text]: 1 }), spaces],
  ['schemes of links', (text) => redactResult({ name: text }), fill('://')],
  ['beginnings of tokens', (text) => redactResult({ name: text }), fill('eyJ-')],
])('%s of any length is read quickly', (_, read, text) => {
  const before = performance.now();
  read(text);
  expect(performance.now() - before).toBeLessThan(5_000);
});

const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

test.each([
  token,
  `a.${token}`,
  `id-${token}`,
  `a.eyJ.b ${token}`,
  'https://console.example.com/?to=%3Ftoken%3Dabc',
])('%s is found', (text) => {
  expect(containsSecret(text)).toBe(true);
});
