import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadFullCatalogue } from '../../../scripts/load-full-catalogue.ts';
import { hasText, isUnsuccessful } from '../../../src/audit/audit-entry.ts';
import { createAuditStore } from '../../../src/audit/audit-store.ts';
import { createVpsFilter } from '../../../src/audit/audit-visibility.ts';
import { kindFilters, toLogKinds } from '../../../src/audit/entry-kind.ts';
import { findAuditPage } from '../../../src/audit/history/find-audit-page.ts';
import { parseInput } from '../../../src/operations/define/arguments/input.ts';
import type { Catalogue } from '../../../src/operations/define/operation.ts';
import { findLogKind, type LogKind } from '../../../src/runs/log-kind.ts';
import type { TestDatabase } from '../../db/test-database.ts';
import { insertRuns, type RunFixture } from '../insert-runs.ts';

const vpsInputs = ['VPS-1', 'VPS-2'].map((vps) => ({ input: JSON.stringify({ vps }), target: vps }));

const changeInputs: readonly Input[] = ['Web-01', 'Büro "B"', 'db\\02'].map((name) => ({
  input: JSON.stringify({ vps: 'VPS-1', reason: 'Kernel 6.1,\nsee CHG-7' }),
  target: 'VPS-1',
  title: 'Reboot VPS-1',
  display_names: JSON.stringify({ vps: `${name} (VPS-1)` }),
}));

const withoutTarget = (input: string) => ({ input, target: null });

type Input = Pick<RunFixture, 'input' | 'target' | 'title' | 'display_names'>;

/** Operations, with inputs and targets that each can have. `installed` is an event. */
const inputs: Readonly<Record<string, readonly Input[]>> = {
  reboot: [...vpsInputs, ...changeInputs],
  show: vpsInputs,
  'lb create': [
    { input: '{"domain_name":"example.com","backends":["VPS-1:80"]}', target: 'example.com' },
    { input: '{"domain_name":"example.com","backends":["VPS-2:80"]}', target: 'example.com' },
  ],
  help: [withoutTarget('{}')],
  history: ['{}', '{"export":"csv"}', '{"to":"#C12345"}', '{"kind":"reads"}'].map(withoutTarget),
  connect: [{ input: '{}', target: 'API key' }],
  installed: [withoutTarget('{}')],
};

const decidedBy = (userId: string) => JSON.stringify({ kind: 'problem', problem: { decidedBy: userId } });

const run = fc.constantFrom(...Object.keys(inputs)).chain((operation) =>
  fc.record({
    operation: fc.constant(operation),
    filled: fc.constantFrom(...(inputs[operation] ?? [])),
    isIncomplete: fc.boolean(),
    user_id: fc.constantFrom('U1', 'U2'),
    status: fc.constantFrom('done' as const, 'refused' as const, 'failed' as const),
    error_code: fc.constantFrom(null, 'not_permitted', 'input_invalid', 'not_found', 'cancelled'),
    outcome: fc.constantFrom(null, decidedBy('U1'), decidedBy('U2')),
    sent_at: fc.constantFrom(null, 5),
    requested_at: fc.integer({ min: 1, max: 9 }),
  }),
);

/** Parts of names, titles and reasons, also some that cross the border between two of them. */
const texts = [
  'web-01',
  'EB-01 (vps-1',
  'büro "',
  'db\\0',
  'reboot web',
  '1). reason: kernel 6',
  ',\nsee chg',
  'reason',
  'lb create ex',
  'example.com',
  'api key',
  'nothing has this',
];

/** Returns the kind that a run of the operation would have. */
function toLogKind(
  catalogue: Catalogue,
  { operation: name, error_code: code }: { readonly operation: string; readonly error_code: string | null },
  input = '{}',
): LogKind {
  const operation = catalogue.find(name);
  if (!operation) return 'settings';
  const kind = findLogKind(operation, parseInput(operation, JSON.parse(input)));
  return kind === 'reads' && code === 'not_permitted' ? 'denied' : kind;
}

const filters = fc.record({
  kind: fc.constantFrom(...kindFilters, undefined),
  userId: fc.constantFrom('U1', undefined),
  vps: fc.constantFrom('VPS-1', undefined),
  isFailedOnly: fc.boolean(),
  text: fc.constantFrom(...texts, undefined),
});

/** Tests that the database finds every run that a filter keeps. */
export function describeFilteredPages(database: TestDatabase): void {
  describe('a filtered page', () => {
    test('has every run that matches, whatever the filters', async () => {
      const catalogue = await loadFullCatalogue();
      const store = createAuditStore(database.db);
      await fc.assert(
        fc.asyncProperty(
          fc.array(run, { maxLength: 24 }),
          fc.array(filters, { minLength: 5, maxLength: 5 }),
          async (runs, tried) => {
            await database.db.deleteFrom('run').execute();
            await insertRuns(
              database.db,
              runs.map(({ filled, isIncomplete, ...row }, index) => ({
                ...row,
                id: `run-${index}`,
                ...filled,
                log_kind: toLogKind(catalogue, row, filled.input),
                // A run with incomplete input doesn't go on.
                ...(isIncomplete && row.status !== 'done' && { target: null }),
              })),
            );
            for (const { kind, userId, vps, isFailedOnly, text } of tried) {
              const kinds = toLogKinds(kind);
              const isAboutVps = vps === undefined ? () => true : createVpsFilter(vps, catalogue);
              const matches: Parameters<typeof findAuditPage>[2] = (entry) =>
                (userId === undefined || entry.actor.userId === userId) &&
                (!isFailedOnly || isUnsuccessful(entry)) &&
                (text === undefined || hasText(entry, text)) &&
                kinds.includes(entry.logKind) &&
                isAboutVps(entry);
              const query = {
                teamId: 'T1',
                kinds,
                isUnsuccessful: isFailedOnly,
                ...(userId !== undefined && { userId }),
                ...(vps !== undefined && { vps }),
              };
              const found = await findAuditPage(store, query, matches);
              expect(found).toEqual(await findAuditPage(store, { teamId: 'T1' }, matches));
            }
          },
        ),
        { numRuns: 20 },
      );
    });
  });
}
