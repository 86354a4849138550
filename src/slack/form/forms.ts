import type { Arguments } from '../../operations/argument.ts';
import { isForChannel, type Operation } from '../../operations/operation.ts';
import type { RawInput } from '../../operations/outcome.ts';
import { stepButton } from '../actions.ts';
import type { Asking } from '../asking.ts';
import type { SlackClients } from '../clients.ts';
import { buttonRow } from '../render/blocks.ts';
import { renderNotice } from '../render/notice.ts';
import { parentsOf } from './dependence.ts';
import { type FormMetadata, mintId } from './metadata.ts';
import { openView } from './open-view.ts';
import { formView } from './view.ts';

/** Opens the forms of operations. */
export interface Forms {
  /** Opens the form, filled with what was given; offers a button for it where no form can be opened any more. */
  open(operation: Operation, raw: RawInput, asking: Asking, isPublic: boolean): Promise<void>;
}

/** Creates what opens forms. Nothing is read before one is open: a trigger is good for 3 s. */
export function createForms(clients: SlackClients): Forms {
  return {
    async open(operation, raw, asking, isPublic) {
      const metadata = formMetadataOf(operation, raw, asking, isPublic);
      const isOpen = await openView(clients, asking, formView(operation, raw, metadata));
      if (!isOpen) await offer(operation, raw, asking, isPublic);
    },
  };
}

/** Writes what a form carries with it: what is asked, where, and how it is answered. */
export function formMetadataOf(
  operation: Operation,
  raw: RawInput,
  { origin, view }: Asking,
  isPublic = isForChannel(operation),
): FormMetadata {
  return {
    operation: operation.name,
    requestKey: mintId(),
    isPublic,
    isInView: view !== undefined,
    edition: 0,
    parents: parentsOf(operation.arguments, raw),
    revision: 0,
    written: [],
    rows: firstRows(operation.arguments, raw),
    ...origin,
  };
}

function offer(
  { name, summary }: Operation,
  input: RawInput,
  { reply }: Asking,
  isPublic: boolean,
): Promise<void> {
  const notice = renderNotice(`${summary}: the form asks for what is missing.`);
  const button = stepButton({ label: 'Open Form', operation: name, input, opensForm: true, isPublic }, 0);
  return reply.tell({ ...notice, blocks: [...notice.blocks, ...buttonRow(button ? [button] : [])] });
}

/** Gives each argument that has rows as many as were given, one at least, and no more than it takes. */
function firstRows(fields: Arguments, raw: RawInput): FormMetadata['rows'] {
  const entries = Object.entries(fields).flatMap(([name, { control }]) => {
    if (control.kind !== 'rows') return [];
    const given = raw[name];
    const count = Array.isArray(given) ? Math.min(Math.max(1, given.length), control.most) : 1;
    return [[name, Array.from({ length: count }, mintId)]];
  });
  return Object.fromEntries(entries);
}
