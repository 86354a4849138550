import fc from 'fast-check';
import { validateView } from 'slack-sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../src/db/engines/database.ts';
import { createAddReportOperation } from '../../../src/monitoring/reports/operations/add-report.ts';
import { createEditReportOperation } from '../../../src/monitoring/reports/operations/edit-report.ts';
import { createReportStore } from '../../../src/monitoring/reports/report-store.ts';
import { createReportChoiceSource } from '../../../src/monitoring/reports/reports.ts';
import { previewWhen } from '../../../src/monitoring/shared/when-arguments.ts';
import type { RawInput } from '../../../src/operations/define/arguments/raw-input.ts';
import type { Operation } from '../../../src/operations/define/operation.ts';
import type { Invocation } from '../../../src/slack/invocation.ts';
import { parseFormValues, type ViewValues } from '../../../src/slack/modals/form/form-values.ts';
import { buildFormView } from '../../../src/slack/modals/form/form-view.ts';
import { createFormMetadata } from '../../../src/slack/modals/form/forms.ts';
import { anyCharacter } from '../../arbitraries/any-character.ts';

const nowMs = Date.UTC(2026, 10, 21, 5, 30);

async function noop(): Promise<void> {}

const asking: Invocation = {
  actor: { teamId: 'T0ACME', userId: 'U0ALICE' },
  origin: { channel: 'C0OPS' },
  requestKey: 'test',
  isClick: true,
  reply: {
    sendToActor: noop,
    sendToChannel: noop,
    post: noop,
    replace: noop,
    remove: noop,
    postStatus: async () => ({ edit: noop, remove: noop }),
    showWorking: async () => noop,
  },
};

let database: OpenDatabase;
let add: Operation;
let edit: Operation;
beforeAll(async () => {
  const log = { warn: noop, error: noop, info: noop, debug: noop };
  database = await openDatabase('sqlite::memory:', { log });
  const store = createReportStore(database.db);
  const publisher = { postText: async () => ({ kind: 'posted', ts: '1.0' }) as const };
  const otherCallsPerMinute = async () => 0;
  const commonDependencies = { store, reports: createReportChoiceSource(store), otherCallsPerMinute };
  const parts = { ...commonDependencies, publisher, wake: () => undefined, now: () => nowMs };
  add = createAddReportOperation(parts);
  edit = createEditReportOperation(parts);
});
afterAll(() => database.close());

const anything = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 4_000 }),
  fc.constantFrom(
    '',
    ' ',
    'weekly',
    'cron 0 9 * * 1',
    'monthly 31 09:00',
    'in 2h',
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
  test('is accepted by Slack, whatever the input, and describes the resulting times', async () => {
    for (const operation of [add, edit]) {
      await fc.assert(
        fc.asyncProperty(inputFor(operation), async (raw) => {
          const preview = await previewWhen({ timeZone: async () => 'Europe/Berlin' }, raw, { nowMs });
          expect(preview?.lines).not.toEqual([]);
          const view = buildFormView(operation, raw, createFormMetadata(operation, raw, asking), { preview });
          expect(validateView(view)).toEqual([]);
        }),
        { numRuns: 50 },
      );
    }
  });

  test('keeps emptied values of an existing report, and leaves out hidden ones', () => {
    const raw = { name: 'Fleet', post: 'always', quiet: 'sat sun' };
    const metadata = createFormMetadata(edit, raw, asking);
    const values: ViewValues = {
      name: { remote: { type: 'external_select', selected_option: option('Fleet') } },
      'post@0': { value: { type: 'static_select', selected_option: option('always') } },
      'quiet@0': { value: { type: 'plain_text_input', value: null } },
    };
    expect(parseFormValues(edit.arguments, values, metadata)).toEqual({
      name: 'Fleet',
      post: 'always',
      quiet: '',
    });
  });
});

function option(value: string) {
  return { text: { type: 'plain_text' as const, text: value }, value };
}
