import fc from 'fast-check';
import { validateView } from 'slack-sandbox';
import { describe, expect, test } from 'vitest';
import { loadFullCatalogue } from '../../../../scripts/load-full-catalogue.ts';
import { previewWhen } from '../../../../src/monitoring/shared/when-arguments.ts';
import type { RawInput, RawValue } from '../../../../src/operations/define/arguments/raw-input.ts';
import type { Operation } from '../../../../src/operations/define/operation.ts';
import { matchesTypedConfirmation } from '../../../../src/runs/pipeline/confirmation/confirm.ts';
import { typedConfirmationButton } from '../../../../src/slack/blocks/confirmation.ts';
import { parseFormValues, type ViewValues } from '../../../../src/slack/modals/form/form-values.ts';
import { buildFormView } from '../../../../src/slack/modals/form/form-view.ts';
import { createFormMetadata } from '../../../../src/slack/modals/form/forms.ts';
import { anyCharacter } from '../../../arbitraries/any-character.ts';
import { silentInvocation } from '../../silent-invocation.ts';

const operations = (await loadFullCatalogue()).groups.flatMap((group) => group.operations);

const nowMs = Date.UTC(2026, 10, 21, 5, 30);

function findOperation(name: string): Operation {
  const found = operations.find((operation) => operation.name === name);
  if (!found) throw new Error(`there is no operation ${name}`);
  return found;
}

function openForm(operation: Operation, raw: RawInput) {
  return buildFormView(operation, raw, createFormMetadata(operation, raw, silentInvocation));
}

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 4_000 }),
  fc.constantFrom('VPS-10001', '', ' ', '0', '80', '<!channel>', '~', '&amp;'),
  fc.constantFrom('cron 0 9 * * 1', 'monthly 31 09:00', 'in 2h', 'sat sun'),
  fc.string({ minLength: 76, maxLength: 500 }),
);

/** Generates records with some of the fields. */
function someFields<T>(fields: Readonly<Record<string, fc.Arbitrary<T>>>): fc.Arbitrary<Record<string, T>> {
  return fc
    .tuple(fc.record(fields), fc.subarray(Object.keys(fields)))
    .map(([all, given]) => Object.fromEntries(Object.entries(all).filter(([name]) => given.includes(name))));
}

/** Generates any input of an operation. */
function inputFor({ arguments: fields }: Operation): fc.Arbitrary<RawInput> {
  const values = Object.entries(fields).map(([name, { control }]): [string, fc.Arbitrary<RawValue>] => {
    if (control.kind === 'switch') return [name, fc.boolean()];
    if (control.kind !== 'rows') return [name, anyText];
    const row = someFields(Object.fromEntries(Object.keys(control.fields).map((field) => [field, anyText])));
    return [name, fc.array(fc.oneof(anyText, row), { maxLength: 20 })];
  });
  return someFields(Object.fromEntries(values));
}

describe('the form of every operation', () => {
  test.each(operations.filter(({ arguments: fields }) => Object.keys(fields).length > 0))(
    '$name is accepted by Slack, whatever the input',
    async (operation) => {
      await fc.assert(
        fc.asyncProperty(inputFor(operation), async (raw) => {
          const preview = await previewWhen({ timeZone: async () => 'Europe/Berlin' }, raw, { nowMs });
          expect(preview?.lines).not.toEqual([]);
          const metadata = createFormMetadata(operation, raw, silentInvocation);
          expect(validateView(buildFormView(operation, raw, metadata, { preview }))).toEqual([]);
        }),
        { numRuns: 50 },
      );
    },
  );
});

describe('a value that is longer than a select can carry', () => {
  const remove = findOperation('snapshot delete');
  const name = `nightly-${'x'.repeat(150)}`;
  const raw = { vps: 'VPS-10001', snapshot: name };
  const findInitialOption = (view: ReturnType<typeof buildFormView>) => {
    const block = view.blocks.find(({ block_id }) => block_id === 'snapshot@0');
    const element = block && 'element' in block ? block.element : undefined;
    return element?.type === 'external_select' ? element.initial_option : undefined;
  };

  test('is shown by its text and carried as a digest', () => {
    const initial = findInitialOption(openForm(remove, raw));
    expect(initial?.text.text).toBe(`${name.slice(0, 74)}…`);
    expect(initial?.value).toMatch(/^~[\w-]{43}$/);
  });
});

describe('a typed confirmation', () => {
  test.each([
    ['VPS-abC1', 'vps-abC1', true],
    ['VPS-abC1', '  VPS-abC1\n', true],
    ['VPS-abC1', 'VPS-abc1', false],
    ['VPS-abC1', '', false],
    ['nightly', 'Nightly', false],
    ['nightly', 'nightly ', true],
  ])('for %s, "%s": %s', (wanted, text, isRight) => {
    expect(matchesTypedConfirmation([wanted], text)).toBe(isRight);
  });

  test('has a button that Slack accepts, whatever the title', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 10_000 }), (title) => {
        const confirmation = {
          token: 'x'.repeat(60),
          title,
          button: 'Restore',
          warning: 'Everything that was written since is lost.',
          effect: 'destroy' as const,
          textToType: 'VPS-10001',
          facts: [],
          hasTargetChanged: false,
        };
        const options = {
          actionId: 'confirm:typed-pace',
          label: 'Restore',
          needsReason: true,
          atATime: 50,
        } as const;
        expect(typedConfirmationButton(confirmation, options).value?.length).toBeLessThanOrEqual(2_000);
      }),
    );
  });
});

test('a prefilled form focuses the first field that is left to fill in', () => {
  const operation = findOperation('snapshot restore');
  const raw = { vps: 'VPS-10001' };
  const { blocks } = buildFormView(operation, raw, createFormMetadata(operation, raw, silentInvocation));
  const focused = blocks.filter((block) => JSON.stringify(block).includes('"focus_on_load":true'));
  expect(focused).toMatchObject([{ label: { text: 'Snapshot' } }]);
});

test('an empty field asks for a choice', () => {
  const view = openForm(findOperation('snapshot restore'), { vps: '', snapshot: 'nightly' });
  expect(JSON.stringify(view)).not.toContain('You typed ');
});

test('a name that was copied from a message is read without its invisible spaces', () => {
  const create = findOperation('snapshot create');
  const values: ViewValues = {
    name: { text: { type: 'plain_text_input', value: 'nightly\u200B_\u200B1' } },
  };
  expect(parseFormValues(create.arguments, values, { rows: {}, revision: 0 })).toEqual({ name: 'nightly_1' });
});

test('emptied values of an existing report are kept, and hidden ones left out', () => {
  const edit = findOperation('report edit');
  const option = (value: string) => ({ text: { type: 'plain_text' as const, text: value }, value });
  const raw = { name: 'Fleet', post: 'always', quiet: 'sat sun' };
  const metadata = createFormMetadata(edit, raw, silentInvocation);
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
