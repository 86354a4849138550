import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFileStream } from '../../../src/audit/chain/audit-streams.ts';
import { makeScratchDirectory } from '../../scratch-directory.ts';

test('the stream appends each line once, and only the owner of the file can read it', async () => {
  const file = join(makeScratchDirectory('audit-streams'), 'audit.jsonl');
  const stream = createFileStream(file);
  await stream(['{"seq":1,"operation":"reboot"}']);
  await stream(['{"seq":2,"target":"büro\\n"}']);
  expect(readFileSync(file, 'utf8')).toBe('{"seq":1,"operation":"reboot"}\n{"seq":2,"target":"büro\\n"}\n');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
