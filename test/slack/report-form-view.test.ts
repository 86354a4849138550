import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '../../src/operations/operation.ts';
import type { RawInput } from '../../src/operations/outcome.ts';
import { createAddReport } from '../../src/reports/add-report.ts';
import { createEditReport } from '../../src/reports/edit-report.ts';
import { previewSchedule } from '../../src/reports/preview.ts';
import { createReportSource } from '../../src/reports/report-source.ts';
import { createReportStore } from '../../src/reports/schedule/report-store.ts';
import { checkView } from '../../src/sandbox/slack/block-kit/check.ts';
import type { Asking } from '../../src/slack/asking.ts';
import { formMetadataOf } from '../../src/slack/form/forms.ts';
import { readForm, type ViewValues } from '../../src/slack/form/values.ts';
import { formView } from '../../src/slack/form/view.ts';
import { type OpenDatabase, openDatabase } from '../../src/storage/database.ts';

const nowMs = Date.UTC(2026, 10, 21, 5, 30);

async function silent(): Promise<void> {}

const asking: Asking = {
  asker: { teamId: 'T0ACME', userId: 'U0ALICE' },
  origin: { channel: 'C0OPS' },
  requestKey: 'test',
  isClick: true,
  reply: {
    tell: silent,
    tellAll: silent,
    post: silent,
    replace: silent,
    remove: silent,
    forNow: async () => ({ edit: silent, remove: silent }),
  },
};

let database: OpenDatabase;
let add: Operation;
let edit: Operation;
beforeAll(async () => {
  const log = { warn: silent, error: silent, info: silent, debug: silent };
  database = await openDatabase('sqlite::memory:', { log });
  const store = createReportStore(database.db);
  const voice = { say: async () => ({ ts: '1.0' }) };
  const othersPerMinute = async () => 0;
  const kept = { store, reports: createReportSource(store), othersPerMinute };
  const parts = { ...kept, voice, wake: () => undefined, now: () => nowMs };
  add = createAddReport(parts);
  edit = createEditReport(parts);
});
afterAll(() => database.close());

const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 4_000 }),
  fc.constantFrom(
    '',
    ' ',
    'weekly',
    'cron',
    'monthly',
    '0 9 * * 1',
    '31',
    'vps',
    'VPS-10001',
    '<!channel>',
    'sat sun',
  ),
);

function inputFor({ arguments: fields }: Operation): fc.Arbitrary<RawInput> {
  const values = fc.record(Object.fromEntries(Object.keys(fields).map((name) => [name, anything])));
  return fc
    .tuple(values, fc.subarray(Object.keys(fields)))
    .map(([all, given]) => Object.fromEntries(Object.entries(all).filter(([name]) => given.includes(name))));
}

describe('the form of a report', () => {
  test('is one that Slack takes, whatever was given, with the words of what it comes to', () => {
    for (const operation of [add, edit]) {
      fc.assert(
        fc.property(inputFor(operation), (raw) => {
          const preview = previewSchedule(raw, 'Europe/Berlin', nowMs);
          expect(preview.lines).not.toEqual([]);
          const view = formView(operation, raw, formMetadataOf(operation, raw, asking), { preview });
          expect(checkView(view)).toEqual([]);
        }),
        { numRuns: 50 },
      );
    }
  });

  test('keeps what is emptied of a report that there is, and leaves out what is not shown', () => {
    const raw = { name: 'Fleet', every: 'daily', quiet: 'sat sun' };
    const metadata = formMetadataOf(edit, raw, asking);
    const values: ViewValues = {
      name: { remote: { type: 'external_select', selected_option: option('Fleet') } },
      'every@0': { value: { type: 'static_select', selected_option: option('daily') } },
      'quiet@0': { value: { type: 'plain_text_input', value: null } },
    };
    expect(readForm(edit.arguments, values, metadata)).toEqual({ name: 'Fleet', every: 'daily', quiet: '' });
  });
});

function option(value: string) {
  return { text: { type: 'plain_text' as const, text: value }, value };
}
