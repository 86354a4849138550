import { expect, test } from 'vitest';
import type { AuditEntry } from '../../../src/audit/audit-entry.ts';
import { formatHistory } from '../../../src/audit/history/format-history.ts';
import { createAuditEntry } from '../audit-fixture.ts';

const filters = { subject: {}, isFailedOnly: false, kind: undefined, target: undefined, since: undefined };
const reader = {
  findPersonName: async (id: string) => id,
  labelVps: (text: string) => text,
  canExport: false,
};

async function tabulate(...entries: readonly AuditEntry[]) {
  const { table } = await formatHistory({ entries }, filters, reader);
  return table;
}

test('shows the wait for a click apart from the work', async () => {
  const confirmed = createAuditEntry({ requestedMs: 0, queuedMs: 40_000, settledMs: 40_300 });
  const direct = createAuditEntry({ requestedMs: 0, queuedMs: 20, settledMs: 120 });
  const table = await tabulate(confirmed, direct);
  expect(table?.columns).toEqual(['Who', 'Outcome', 'What', 'When', 'Waited', 'Took']);
  expect(table?.rows.map((row) => row.slice(4))).toEqual([
    [{ kind: 'duration', durationMs: 40_000 }, '300 ms'],
    ['–', '100 ms'],
  ]);
});

test('shows what was cancelled, declined or mistyped as such', async () => {
  const ended = { status: 'refused', queuedMs: null, sentMs: null } as const;
  const table = await tabulate(
    createAuditEntry({ ...ended, errorCode: 'cancelled' }),
    createAuditEntry({ ...ended, errorCode: 'cancelled', declinedBy: 'U0ALICE' }),
    createAuditEntry({ ...ended, errorCode: 'cancelled', declinedBy: 'U0BOB' }),
    createAuditEntry({ ...ended, errorCode: 'input_invalid' }),
    createAuditEntry({ ...ended, status: 'failed', errorCode: 'not_found' }),
    createAuditEntry({ status: 'failed', errorCode: 'not_found' }),
  );
  expect(table?.rows.map(([, outcome]) => outcome)).toEqual([
    '✖️ Cancelled',
    '✖️ Cancelled',
    '🚫 Declined',
    '✏️ Invalid input',
    '✏️ Invalid input',
    '❌ Failed',
  ]);
});

test('says that the details of a run are unreadable', async () => {
  const table = await tabulate(createAuditEntry({ input: {}, summary: null, isUnreadable: true }));
  const action = "Reboot VPS-10001 (this version of Rackhand can't read the details)";
  expect(table?.rows[0]?.slice(0, 3)).toEqual(['U0ALICE', '✅ Done', action]);
});
