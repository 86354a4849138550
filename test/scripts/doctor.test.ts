import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startHostingSandbox } from '../sandbox/hosting/hosting-sandbox-fixture.ts';

const run = promisify(execFile);

async function runDoctor(url: string, env: Record<string, string> = {}, ...options: string[]) {
  const result = run(process.execPath, ['scripts/doctor.ts', ...options], {
    env: { PATH: process.env.PATH, HOSTING_API_URL: url, HOSTING_API_KEY: 'sandbox-key-full', ...env },
  });
  return result.then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  );
}

const newFile = () => join(mkdtempSync(join(tmpdir(), 'doctor-')), 'profile.json');

test('prints where readings are, and writes a matching profile', async () => {
  const { url } = await startHostingSandbox();
  const file = newFile();
  const written = await runDoctor(url, {}, '--profile', file);
  expect(written.stdout).toMatch(/^vps\.names +vps\[\]\.vps_name +VPS-10001/m);
  expect(written.stdout).not.toContain('sandbox-key-full');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    version: 1,
    readings: { 'vps.list_state': { field: 'vps[].state' } },
  });
  const checked = await runDoctor(url, { HOSTING_PROFILE: file });
  expect(checked).toMatchObject({ code: 0 });
  expect(checked.stdout).not.toContain('not in the payload');
});

test('names the field of a profile that the service does not have', async () => {
  const { url } = await startHostingSandbox();
  const file = newFile();
  writeFileSync(file, JSON.stringify({ version: 1, readings: { 'live.cpu': { field: 'processor' } } }));
  const { code, stdout } = await runDoctor(url, { HOSTING_PROFILE: file });
  expect(code).toBe(1);
  expect(stdout).toContain('live.cpu: its field is not in the payload.');
});

test('names every invalid setting', async () => {
  const { code, stderr } = await runDoctor('no url', { HOSTING_PROFILE: '/nowhere.json' });
  expect(code).toBe(1);
  expect(stderr).toMatch(/HOSTING_API_URL must be a URL/);
  expect(stderr).toMatch(/HOSTING_PROFILE names \/nowhere.json, which can't be read/);
});
