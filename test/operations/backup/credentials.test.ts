import { describe, expect, test } from 'vitest';
import { getBackupFtp } from '../../../src/hosting/endpoints/backup-ftp.ts';
import {
  createContext,
  createStubRead,
  findChange,
  runRead,
  serializePublicPart,
} from '../operation-harness.ts';

const vps = 'VPS-10001';
const secrets = ['ftp7.example.net', 'b10001', 'tR4!mmQz'];
const [host, user, password] = secrets;

const spaces = [
  {
    vps_name: vps,
    state: 'active',
    quota_gb: 100,
    used_gb: 7,
    credentials: { host, port: 21, user, password },
  },
  { backup: { enabled: true, quota: '100 GB', host, port: 21, username: user, password } },
  {
    status: 'active',
    quota: { total_gb: 100, used_gb: 7 },
    ftp_host: host,
    ftp_user: user,
    ftp_password: password,
  },
  { active: true, size: '100 GB', login: { server: host, account: user, pwd: password } },
];

describe('a backup space', () => {
  test('shows a quota without a unit as a number', async () => {
    const data = { active: true, quota: 100, used_gb: 7 };
    const { facts } = await runRead('backup show', { vps }, new Map([[getBackupFtp, data]]));
    expect(facts).toContainEqual({ label: 'Quota', value: '100' });
    expect(facts).toContainEqual({ label: 'Used', value: { kind: 'bytes', bytes: 7 * 2 ** 30 } });
  });

  test.each(spaces)('is shown without its credentials, which are secrets: %j', async (data) => {
    const outcome = await runRead('backup show', { vps }, new Map([[getBackupFtp, data]]));
    expect(outcome.facts).toContainEqual({ label: 'State', value: { kind: 'state', state: 'active' } });
    expect(outcome.facts).toContainEqual({ label: 'Quota', value: { kind: 'bytes', bytes: 100 * 2 ** 30 } });
    for (const secret of secrets) {
      expect(outcome.secrets?.map(({ value }) => value)).toContain(secret);
      expect(serializePublicPart(outcome)).not.toContain(secret);
    }
  });

  test.each(['backup enable', 'backup disable', 'backup regenerate'])(
    'is shown without its credentials after %s',
    (name) => {
      for (const data of spaces) {
        const outcome = findChange(name).outcome(data, { vps });
        for (const secret of secrets) expect(serializePublicPart(outcome)).not.toContain(secret);
      }
    },
  );

  test.each(['backup disable', 'backup regenerate'])(
    'is shown without its credentials before %s',
    async (name) => {
      for (const data of spaces) {
        const read = createStubRead(new Map([[getBackupFtp, data]]));
        const present = await findChange(name).readTargetState?.(createContext(read), { vps });
        expect(present?.facts[0]).toEqual({ label: 'State', value: { kind: 'state', state: 'active' } });
        for (const secret of secrets) expect(JSON.stringify(present)).not.toContain(secret);
      }
    },
  );

  test('is bound to its state, and not to its usage', async () => {
    const state = async (used_gb: number) => {
      const read = createStubRead(new Map([[getBackupFtp, { ...spaces[0], used_gb }]]));
      return (await findChange('backup disable').readTargetState?.(createContext(read), { vps }))
        ?.fingerprint;
    };
    expect(await state(7)).toBe(await state(8));
  });
});
