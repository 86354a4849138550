import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadFullCatalogue } from '../../../scripts/load-full-catalogue.ts';
import { isUnsuccessful } from '../../../src/audit/audit-entry.ts';
import { createAuditStore } from '../../../src/audit/audit-store.ts';
import { createVpsFilter, toVpsQuery } from '../../../src/audit/audit-visibility.ts';
import { createKindFilter, kindFilters, toKindQuery } from '../../../src/audit/entry-kind.ts';
import { findAuditPage } from '../../../src/audit/history/find-audit-page.ts';
import type { TestDatabase } from '../../db/test-database.ts';
import { insertRuns } from '../insert-runs.ts';

const vpsInputs = ['VPS-1', 'VPS-2'].map((vps) => ({ input: JSON.stringify({ vps }), target: vps }));

const withoutTarget = (input: string) => ({ input, target: null });

/** Operations, with inputs and targets that each can have. `installed` is an event. */
const inputs: Readonly<
  Record<string, readonly { readonly input: string; readonly target: string | null }[]>
> = {
  reboot: vpsInputs,
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

const filters = fc.record({
  kind: fc.constantFrom(...kindFilters, undefined),
  userId: fc.constantFrom('U1', undefined),
  vps: fc.constantFrom('VPS-1', undefined),
  isFailedOnly: fc.boolean(),
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
              runs.map(({ filled: { input, target }, isIncomplete, ...row }, index) => ({
                ...row,
                id: `run-${index}`,
                input,
                target: isIncomplete ? null : target,
              })),
            );
            for (const { kind, userId, vps, isFailedOnly } of tried) {
              const isOfKind = createKindFilter(kind, catalogue);
              const isAboutVps = vps === undefined ? () => true : createVpsFilter(vps, catalogue);
              const matches: Parameters<typeof findAuditPage>[2] = (entry) =>
                (userId === undefined || entry.actor.userId === userId) &&
                (!isFailedOnly || isUnsuccessful(entry)) &&
                isOfKind(entry) &&
                isAboutVps(entry);
              const query = {
                teamId: 'T1',
                kind: toKindQuery(kind, catalogue),
                isUnsuccessful: isFailedOnly,
                ...(userId !== undefined && { userId }),
                ...(vps !== undefined && { vps: toVpsQuery(vps, catalogue) }),
              };
              const found = await findAuditPage(store, query, matches);
              expect(found).toEqual(await findAuditPage(store, { teamId: 'T1' }, matches));
            }
          },
        ),
        { numRuns: 20 },
      );
    });

    test('is full without reading the runs of other kinds', async () => {
      const catalogue = await loadFullCatalogue();
      const store = createAuditStore(database.db);
      const typo = { status: 'refused', error_code: 'input_invalid' } as const;
      await insertRuns(database.db, [
        ...Array.from({ length: 40 }, (_, index) => ({ id: `change-${index}`, requested_at: index })),
        ...Array.from({ length: 40 }, (_, index) => ({
          id: `failed-${index}`,
          requested_at: index,
          status: 'failed' as const,
        })),
        ...Array.from({ length: 120 }, (_, index) => ({
          id: `read-${index}`,
          operation: index % 2 ? 'show' : 'history',
          requested_at: 1_000 + index,
          ...(index % 4 === 0 && typo),
        })),
      ]);
      for (const [kind, isFailedOnly] of [
        [undefined, false],
        ['changes', false],
        ['all', true],
      ] as const) {
        const query = { teamId: 'T1', kind: toKindQuery(kind, catalogue), isUnsuccessful: isFailedOnly };
        const batch = await store.read(query, { direction: 'older', limit: 30 });
        expect(batch.map(({ id }) => id).filter((id) => id.startsWith('read'))).toEqual([]);
        expect(batch).toHaveLength(30);
      }
    });
  });

  test('only `history` has a kind that depends on the input, which the query knows', async () => {
    const { groups } = await loadFullCatalogue();
    const names = groups
      .flatMap(({ operations }) => operations)
      .flatMap((operation) =>
        operation.kind === 'local' && operation.rightByEffect ? [operation.name] : [],
      );
    expect(names).toEqual(['history']);
  });
}
