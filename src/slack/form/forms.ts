import type { Arguments } from '../../operations/argument.ts';
import type { Operation } from '../../operations/operation.ts';
import type { RawInput } from '../../operations/outcome.ts';
import { stepButton } from '../actions.ts';
import type { Asking } from '../asking.ts';
import type { SlackClients } from '../clients.ts';
import { buttonRow } from '../render/blocks.ts';
import { renderNotice } from '../render/notice.ts';
import { isRefusedBySlack } from '../slack-error.ts';
import { type FormMetadata, mintId } from './metadata.ts';
import { formView } from './view.ts';

/** Slack's answers that mean that a trigger is too old, or has opened something already. */
const expiredTrigger = new Set(['expired_trigger_id', 'trigger_expired', 'invalid_trigger_id']);
const usedTrigger = new Set(['exchanged_trigger_id', 'trigger_exchanged']);

/** Opens the forms of operations. */
export interface Forms {
  /** Opens the form, filled with what was given; offers a button for it where no form can be opened any more. */
  open(operation: Operation, raw: RawInput, asking: Asking, isPublic: boolean): Promise<void>;
}

/** Creates what opens forms. */
export function createForms(clients: SlackClients): Forms {
  return {
    async open(operation, raw, asking, isPublic) {
      const { triggerId, origin, asker, responseUrl } = asking;
      const metadata: FormMetadata = {
        operation: operation.name,
        requestKey: mintId(),
        isPublic,
        rows: firstRows(operation.arguments, raw),
        ...(origin.channel && { channel: origin.channel }),
        ...(origin.threadTs && { threadTs: origin.threadTs }),
        ...(responseUrl && { responseUrl }),
      };
      if (triggerId === undefined) return offer(operation, raw, asking);
      try {
        const client = await clients(asker.teamId);
        await client.views.open({ trigger_id: triggerId, view: formView(operation, raw, metadata) });
      } catch (error) {
        const reason = isRefusedBySlack(error) ? error.data.error : '';
        // Whoever has used the trigger has opened this form: Slack delivered the same twice.
        if (usedTrigger.has(reason)) return;
        if (!expiredTrigger.has(reason)) throw error;
        await offer(operation, raw, asking);
      }
    },
  };
}

function offer(operation: Operation, raw: RawInput, { reply }: Asking): Promise<void> {
  const notice = renderNotice(`${operation.summary}: the form asks for what is missing.`);
  const button = stepButton({ label: 'Open Form', operation: operation.name, input: raw }, 0);
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
