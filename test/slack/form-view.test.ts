import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allOperations } from '../../src/operations/all.ts';
import type { Operation } from '../../src/operations/operation.ts';
import type { RawInput, RawValue } from '../../src/operations/outcome.ts';
import { isTyped } from '../../src/operations/runs/typed-text.ts';
import { checkView } from '../../src/sandbox/slack/block-kit/check.ts';
import type { Asking } from '../../src/slack/asking.ts';
import { formMetadataOf } from '../../src/slack/form/forms.ts';
import { typedButton } from '../../src/slack/form/typed-confirmation.ts';
import { readForm, readTexts, type ViewValues } from '../../src/slack/form/values.ts';
import { formView } from '../../src/slack/form/view.ts';

const operations = allOperations().groups.flatMap((group) => group.operations);

function operationCalled(name: string): Operation {
  const found = operations.find((operation) => operation.name === name);
  if (!found) throw new Error(`there is no operation ${name}`);
  return found;
}

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
    forNow: async () => ({ edit: silent, remove: silent }),
    replace: silent,
    remove: silent,
  },
};

function opened(operation: Operation, raw: RawInput) {
  return formView(operation, raw, formMetadataOf(operation, raw, asking));
}

const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 4_000 }),
  fc.constantFrom('VPS-10001', '', ' ', '0', '80', '<!channel>', '~', '&amp;'),
  fc.string({ minLength: 76, maxLength: 500 }),
);

/** Gives some of the fields of a record. */
function someOf<T>(fields: Readonly<Record<string, fc.Arbitrary<T>>>): fc.Arbitrary<Record<string, T>> {
  return fc
    .tuple(fc.record(fields), fc.subarray(Object.keys(fields)))
    .map(([all, given]) => Object.fromEntries(Object.entries(all).filter(([name]) => given.includes(name))));
}

/** Anything that may have been given for the arguments of an operation. */
function inputFor({ arguments: fields }: Operation): fc.Arbitrary<RawInput> {
  const values = Object.entries(fields).map(([name, { control }]): [string, fc.Arbitrary<RawValue>] => {
    if (control.kind === 'switch') return [name, fc.boolean()];
    if (control.kind !== 'rows') return [name, anything];
    const row = someOf(Object.fromEntries(Object.keys(control.fields).map((field) => [field, anything])));
    return [name, fc.array(fc.oneof(anything, row), { maxLength: 20 })];
  });
  return someOf(Object.fromEntries(values));
}

describe('the form of every operation', () => {
  test.each(operations.filter(({ arguments: fields }) => Object.keys(fields).length > 0))(
    '$name is one that Slack takes, whatever was given',
    (operation) => {
      fc.assert(
        fc.property(inputFor(operation), (raw) => {
          expect(checkView(opened(operation, raw))).toEqual([]);
        }),
        { numRuns: 50 },
      );
    },
  );
});

describe('a value that is longer than a select can carry', () => {
  const remove = operationCalled('snapshot delete');
  const name = `nightly-${'x'.repeat(100)}`;
  const raw = { vps: 'VPS-10001', snapshot: name };
  const metadata = formMetadataOf(remove, raw, asking);
  const initialOf = (view: ReturnType<typeof formView>) => {
    const block = view.blocks.find(({ block_id }) => block_id === 'snapshot@0');
    const element = block && 'element' in block ? block.element : undefined;
    return element?.type === 'external_select' ? element.initial_option : undefined;
  };

  test('is shown by its text and carried as a digest', () => {
    const initial = initialOf(opened(remove, raw));
    expect(initial?.text.text).toBe(`${name.slice(0, 74)}…`);
    expect(initial?.value).toMatch(/^~[\w-]{43}$/);
  });

  test('stays as it is through a change of the form', () => {
    const initial = initialOf(opened(remove, raw));
    const shown = {
      text: { type: 'plain_text' as const, text: initial?.text.text ?? '' },
      value: initial?.value ?? '',
    };
    const values: ViewValues = {
      'snapshot@0': { remote: { type: 'external_select', selected_option: shown } },
    };
    const read = readForm(remove.arguments, values, metadata);
    expect(initialOf(formView(remove, read, metadata, { texts: readTexts(values) }))).toEqual(initial);
  });

  test('is chosen anew where nothing but its digest is known', () => {
    const digest = initialOf(opened(remove, raw))?.value ?? '';
    expect(initialOf(opened(remove, { ...raw, snapshot: digest }))).toBeUndefined();
  });
});

describe('what is typed to confirm', () => {
  test.each([
    ['VPS-abC1', 'vps-abC1', true],
    ['VPS-abC1', '  VPS-abC1\n', true],
    ['VPS-abC1', 'VPS-abc1', false],
    ['VPS-abC1', '', false],
    ['nightly', 'Nightly', false],
    ['nightly', 'nightly ', true],
  ])('of %s, "%s": %s', (wanted, text, isRight) => {
    expect(isTyped(wanted, text)).toBe(isRight);
  });

  test('is asked by a button that Slack takes, whatever the act is called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 10_000 }), (title) => {
        const confirmation = {
          token: 'x'.repeat(60),
          title,
          button: 'Restore',
          warning: 'Everything that was written since is lost.',
          effect: 'destroy' as const,
          facts: [],
          isAskedAgain: false,
        };
        expect(typedButton(confirmation, 'VPS-10001').value?.length).toBeLessThanOrEqual(2_000);
      }),
    );
  });
});
