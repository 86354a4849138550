import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../src/storage/database.ts';
import { type ExportFormat, exportRecord } from '../../../src/workspaces/record/export.ts';
import { createRecordStore } from '../../../src/workspaces/record/record-store.ts';
import { spool } from '../../../src/workspaces/record/spool.ts';
import { keepRuns, refusal } from './kept-runs.ts';

let database: OpenDatabase;

beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
});
afterEach(() => database.close());

async function exported(format: ExportFormat, nameOf = async (_: string, id: string) => `name of ${id}`) {
  let text = '';
  let runs = 0;
  const store = createRecordStore(database.db);
  const what = { extent: { teamId: 'T1' }, isWanted: () => true, format };
  const chunks = exportRecord({ store, nameOf }, what, (more) => {
    runs += more;
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
  outcome: refusal('You may not, "really".\nAsk.'),
  queued_at: null,
  sent_at: null,
  settled_at: 2_300,
};

describe('the record as a file', () => {
  test('has a line for each run, oldest first, with times and waits', async () => {
    await keepRuns(database.db, [refused, { id: 'a', approved_by: 'U9' }]);
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

  test('as CSV begins with its columns, and masks formulas', async () => {
    await keepRuns(database.db, [refused]);
    const { text } = await exported('csv');
    const [head, ...rest] = text.split('\r\n');
    expect(head?.split(',').slice(0, 6)).toEqual(['id', 'requested_at', 'who', 'who_name', 'what', 'target']);
    const line = rest.join('\r\n');
    expect(line).toContain(`,"'=HYPERLINK(""http://evil.example.com"")",`);
    expect(line).toContain(',"You may not, ""really"".\nAsk.",');
  });

  test('of a workspace where nothing has happened has its columns alone', async () => {
    expect((await exported('csv')).text.split('\r\n')).toHaveLength(2);
    expect((await exported('jsonl')).text).toBe('');
  });

  test('that is long is read piece by piece, looks each name up once, and too many not at all', async () => {
    await keepRuns(
      database.db,
      Array.from({ length: 1_300 }, (_, index) => ({
        id: `run-${index}`,
        requested_at: 1_000 + index,
        user_id: `U${index % 200}`,
      })),
    );
    const asked: string[] = [];
    const { text, runs } = await exported('csv', async (_, id) => {
      asked.push(id);
      return 'somebody';
    });
    expect(runs).toBe(1_300);
    expect(text.trimEnd().split('\r\n')).toHaveLength(1_301);
    expect(asked).toHaveLength(80);
    expect(new Set(asked).size).toBe(80);
  });
});

describe('a file on its way', () => {
  async function* chunks() {
    yield 'é';
    yield '🟢';
  }

  test('is whole, nobody else’s to read, and gone afterwards', async () => {
    const path = await spool(chunks(), async (file) => {
      expect(readFileSync(file.path, 'utf8')).toBe('é🟢');
      expect(file.sizeBytes).toBe(6);
      expect(statSync(file.path).mode & 0o077).toBe(0);
      return file.path;
    });
    expect(existsSync(dirname(path))).toBe(false);
  });

  test('is gone where it could not be handed over', async () => {
    let path = '';
    const handing = spool(chunks(), async (file) => {
      path = file.path;
      throw new Error('Slack is on fire');
    });
    await expect(handing).rejects.toThrow('Slack is on fire');
    expect(existsSync(dirname(path))).toBe(false);
  });
});
