import type { types } from '@slack/bolt';
import { RackhandError } from '../../error.ts';
import type { Arguments } from '../../operations/argument.ts';
import { isForChannel, type Operation } from '../../operations/operation.ts';
import type { RawInput } from '../../operations/outcome.ts';
import { stepButton } from '../actions.ts';
import type { Asking } from '../asking.ts';
import type { SlackClients } from '../clients.ts';
import { buttonRow } from '../render/blocks.ts';
import { renderNotice } from '../render/notice.ts';
import { digestsOf } from './catch-up.ts';
import { asideOf, parentsOf } from './dependence.ts';
import type { LiveViews } from './live-view.ts';
import { type FormMetadata, mintId } from './metadata.ts';
import { openView } from './open-view.ts';

/** Opens the forms of operations. */
export interface Forms {
  /**
   * Opens the form, filled with what was given and what is known beside it; offers a button for it where no form can be opened any more. Answers
   * `false` where what was given names nothing to fill it from.
   */
  open(operation: Operation, raw: RawInput, asking: Asking, isPublic: boolean): Promise<boolean>;
  /** Builds the form in the same way; nothing where what was given names nothing to fill it from. */
  build(
    operation: Operation,
    raw: RawInput,
    asking: Asking,
    isPublic?: boolean,
  ): Promise<types.ModalView | undefined>;
}

/** Creates what opens forms. Nothing is read of the service before one is open: a trigger is good for 3 s. */
export function createForms(clients: SlackClients, views: LiveViews): Forms {
  const build: Forms['build'] = async (operation, raw, asking, isPublic) => {
    const [filled, kept] = await Promise.all([
      views.fill(asking, operation, raw),
      views.keptOf(asking, operation, raw),
    ]);
    if (!filled) return undefined;
    const metadata = { ...formMetadataOf(operation, filled, asking, isPublic), kept: digestsOf(kept ?? {}) };
    return views.show(asking, operation, { raw: filled, metadata });
  };

  return {
    build,
    async open(operation, raw, asking, isPublic) {
      const view = await build(operation, raw, asking, isPublic).catch((error: unknown) => {
        if (error instanceof RackhandError && error.code === 'deadline_passed') return 'late' as const;
        throw error;
      });
      if (view === undefined) return false;
      const isOpen = view !== 'late' && (await openView(clients, asking, view));
      if (!isOpen) await offer(operation, raw, asking, isPublic);
      return true;
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
  const parents = parentsOf(operation, raw);
  const filledBy = operation.kind === 'own' ? operation.form?.filledBy : undefined;
  return {
    operation: operation.name,
    requestKey: mintId(),
    isPublic,
    isInView: view !== undefined,
    edition: 0,
    kept: {},
    parents,
    ...(filledBy !== undefined && { filledBy }),
    aside: asideOf(operation, raw, { parents }),
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
