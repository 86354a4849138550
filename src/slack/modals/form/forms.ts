import type { types } from '@slack/bolt';
import { RackhandError } from '../../../errors.ts';
import type { Arguments } from '../../../operations/define/arguments/argument.ts';
import type { RawInput } from '../../../operations/define/arguments/raw-input.ts';
import { isPublicByDefault } from '../../../operations/define/inspect-operation.ts';
import type { Operation } from '../../../operations/define/operation.ts';
import { buttonRow } from '../../blocks/elements/blocks.ts';
import { stepButton } from '../../blocks/elements/buttons.ts';
import { renderNotice } from '../../blocks/notice.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import type { Invocation } from '../../invocation.ts';
import { openModal } from '../open-modal.ts';
import { readHiddenValues, readParentValues } from './field-dependencies.ts';
import { createId, type FormMetadata } from './form-metadata.ts';
import { createFormSnapshot } from './form-snapshot.ts';
import type { FormViews } from './form-views.ts';

export interface Forms {
  /**
   * Opens a form filled with `raw` and stored values. If no modal can be opened, offers a button
   * for the form. Returns false if `raw` doesn't name anything to prefill from.
   */
  open(operation: Operation, raw: RawInput, invocation: Invocation, isPublic: boolean): Promise<boolean>;
  /** Builds the form that `open` would show. Returns undefined if `raw` doesn't name anything to prefill from. */
  build(
    operation: Operation,
    raw: RawInput,
    invocation: Invocation,
    isPublic?: boolean,
  ): Promise<types.ModalView | undefined>;
}

/**
 * Creates the functions that build and open forms. Everything read before a form opens has a short time
 * limit, because a trigger is valid for only 3 s.
 */
export function createForms(clients: SlackClients, formViews: FormViews): Forms {
  const build: Forms['build'] = async (operation, given, invocation, isPublic) => {
    const { raw, labels, notes } = await formViews.resolveVps(invocation, operation, given);
    const [prefilled, stored] = await Promise.all([
      formViews.prefill(invocation, operation, raw),
      formViews.loadStoredValues(invocation, operation, raw),
    ]);
    if (!prefilled) return undefined;
    const metadata = {
      ...createFormMetadata(operation, prefilled, invocation, isPublic),
      snapshot: createFormSnapshot(stored ?? {}),
    };
    const form = await formViews.addSuggestedRows(invocation, operation, { raw: prefilled, metadata });
    return formViews.build(invocation, operation, { ...form, notes }, labels);
  };

  return {
    build,
    async open(operation, raw, invocation, isPublic) {
      let isOpen = false;
      try {
        const view = await build(operation, raw, invocation, isPublic);
        if (view === undefined) return false;
        ({ isOpen } = await openModal(clients, invocation, view));
      } catch (error) {
        if (!(error instanceof RackhandError) || error.code !== 'deadline_passed') throw error;
      }
      if (!isOpen) await offerFormButton(operation, raw, invocation, isPublic);
      return true;
    },
  };
}

export function createFormMetadata(
  operation: Operation,
  raw: RawInput,
  { origin, view }: Invocation,
  isPublic = isPublicByDefault(operation),
): FormMetadata {
  const parentValues = readParentValues(operation, raw);
  const { prefilledBy: prefillField, showsStoredValues } =
    (operation.kind === 'local' && operation.form) || {};
  return {
    operation: operation.name,
    requestKey: createId(),
    isPublic,
    isInView: view !== undefined,
    snapshot: {},
    parentValues,
    ...(prefillField !== undefined && { prefillField }),
    ...(showsStoredValues && { showsStoredValues }),
    hiddenValues: readHiddenValues(operation, raw, { parentValues }),
    revision: 0,
    rows: createRowIds(operation.arguments, raw),
    ...origin,
  };
}

function offerFormButton(
  { name, summary }: Operation,
  input: RawInput,
  { reply }: Invocation,
  isPublic: boolean,
): Promise<void> {
  const notice = renderNotice(`${summary}: open the form to fill in what's missing.`);
  const button = stepButton({ label: 'Open Form', operation: name, input, opensForm: true, isPublic }, 0);
  return reply.sendToActor({ ...notice, blocks: [...notice.blocks, ...buttonRow(button ? [button] : [])] });
}

/**
 * Returns row IDs for each argument with rows: as many as `raw` contains, within the argument's minimum and
 * maximum.
 */
function createRowIds(fields: Arguments, raw: RawInput): FormMetadata['rows'] {
  const entries = Object.entries(fields).flatMap(([name, { control }]) => {
    if (control.kind !== 'rows') return [];
    const rows = raw[name];
    const count = Array.isArray(rows)
      ? Math.min(Math.max(control.min, rows.length), control.max)
      : control.min;
    return [[name, Array.from({ length: count }, createId)]];
  });
  return Object.fromEntries(entries);
}
