import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAuditStore } from '../../../src/audit/audit-store.ts';
import { type ExportFormat, exportAuditLog } from '../../../src/audit/export/export-audit-log.ts';
import { writeExportStream } from '../../../src/audit/export/export-stream.ts';
import { type OpenDatabase, openDatabase } from '../../../src/db/engines/database.ts';
import { createDenialJson, insertRuns } from '../insert-runs.ts';

let database: OpenDatabase;

beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
});
afterEach(() => database.close());

async function exported(
  format: ExportFormat,
  findDisplayName = async (_: string, id: string) => `name of ${id}`,
) {
  let text = '';
  let runs = 0;
  const store = createAuditStore(database.db);
  const options = { query: { teamId: 'T1' }, matches: () => true, format };
  const chunks = exportAuditLog({ store, findDisplayName }, options, (count) => {
    runs += count;
  });
  for await (const chunk of chunks) text += chunk;
  return { text, runs };
}

const refused = {
  id: 'b',
  requested_at: 2_000,
  user_id: 'U2',
  target: '=HYPERLINK("http://evil.example.com")',
  status: 'refused' as const,
  error_code: 'not_permitted',
  outcome: createDenialJson('You may not, "really".\nAsk.'),
  queued_at: null,
  sent_at: null,
  settled_at: 2_300,
};

describe('an exported activity log', () => {
  test('has a line per run, oldest first, with times and durations', async () => {
    await insertRuns(database.db, [refused, { id: 'a', approved_by: 'U9' }]);
    const { text, runs } = await exported('jsonl');
    expect(runs).toBe(2);
    const [first, second] = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(first).toEqual({
      id: 'a',
      requested_at: '1970-01-01T00:00:01.000Z',
      who: 'U1',
      who_name: 'name of U1',
      what: 'reboot',
      target: 'VPS-10001',
      input: { vps: 'VPS-10001' },
      channel: 'C1',
      thread: null,
      outcome: 'done',
      said: 'Rebooted',
      error_code: null,
      approved_by: 'U9',
      approved_by_name: 'name of U9',
      declined_by: null,
      declined_by_name: null,
      queued_at: '1970-01-01T00:00:01.010Z',
      sent_at: '1970-01-01T00:00:01.020Z',
      settled_at: '1970-01-01T00:00:01.050Z',
      took_ms: 50,
      waited_for_confirmation_ms: 10,
      waited_for_quota_ms: 10,
      waited_for_answer_ms: 30,
    });
    expect(second).toMatchObject({
      who: 'U2',
      outcome: 'refused',
      said: 'You may not, "really".\nAsk.',
      queued_at: null,
      took_ms: 300,
      waited_for_quota_ms: null,
    });
  });

  test('starts with the column names in CSV, and masks formulas', async () => {
    await insertRuns(database.db, [refused]);
    const { text } = await exported('csv');
    const [head, ...lines] = text.split('\r\n');
    expect(head?.split(',').slice(0, 6)).toEqual(['id', 'requested_at', 'who', 'who_name', 'what', 'target']);
    const body = lines.join('\r\n');
    expect(body).toContain(`,"'=HYPERLINK(""http://evil.example.com"")",`);
    expect(body).toContain(',"You may not, ""really"".\nAsk.",');
  });
});

describe('a temporary export file', () => {
  async function* chunks() {
    yield 'é';
    yield '🟢';
  }

  test('has the whole text, is readable by its owner alone, and is deleted afterwards', async () => {
    const path = await writeExportStream(chunks(), async (file) => {
      expect(readFileSync(file.path, 'utf8')).toBe('é🟢');
      expect(file.sizeBytes).toBe(6);
      expect(statSync(file.path).mode & 0o077).toBe(0);
      return file.path;
    });
    expect(existsSync(dirname(path))).toBe(false);
  });
});
