import { everyone, toGranteeKind } from '../../../auth/grants/grantee.ts';
import { rights } from '../../../operations/define/access/right.ts';
import { parseInput } from '../../../operations/define/arguments/input.ts';
import type { RawInput } from '../../../operations/define/arguments/raw-input.ts';
import type { Catalogue } from '../../../operations/define/operation.ts';
import type { Runner } from '../../../runs/runner.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import type { ModalOpener, ModalOpeners } from '../modal-openers.ts';
import { openModal } from '../open-modal.ts';
import type { LoadAccessView } from './access-view-loader.ts';
import { buildGrantView, buildLimitView, type GrantDraft } from './access-views.ts';

interface AccessModalDependencies {
  readonly clients: SlackClients;
  readonly catalogue: Catalogue;
  readonly runner: Pick<Runner, 'findDenial'>;
  readonly loadAccessView: LoadAccessView;
}

/**
 * Creates the modals that show and change rights. Only admins get them. Other people get the
 * operation's reply: their own rights, or why they can't change rights.
 */
export function createAccessModals({
  clients,
  catalogue,
  runner,
  loadAccessView,
}: AccessModalDependencies): ModalOpeners {
  const forAdministrators =
    (open: ModalOpener): ModalOpener =>
    async (invocation, input) => {
      // A complete command needs no modal.
      const needsModal = !input.isComplete || Object.keys(input.raw).length === 0;
      const operation = catalogue.find('access grant');
      if (!needsModal || !operation) return false;
      if (await runner.findDenial(invocation, operation, parseInput(operation, {}))) return false;
      return open(invocation, input);
    };

  const overview = forAdministrators(async (invocation) => {
    const view = await loadAccessView(invocation.actor.teamId);
    return openModal(clients, invocation, view);
  });

  return new Map([
    ['access', overview],
    ['access revoke', overview],
    [
      'access grant',
      forAdministrators((invocation, { raw }) =>
        openModal(clients, invocation, buildGrantView(toGrantDraft(raw))),
      ),
    ],
    [
      'access channel',
      forAdministrators((invocation, { raw }) => {
        const channel = typeof raw.channel === 'string' ? raw.channel.replace(/^#/, '') : undefined;
        return openModal(clients, invocation, buildLimitView(channel ?? invocation.origin.channel));
      }),
    ],
  ]);
}

/** Returns the values of an incomplete command as initial values of the form. */
function toGrantDraft({ who, right, vps }: RawInput): GrantDraft {
  const grantees =
    typeof who === 'string' ? who.split(/\s+/).map((grantee) => grantee.replace(/^@/, '')) : [];
  return {
    people: grantees.filter(
      (grantee) => /^[UW][A-Z0-9]+$/.test(grantee) && toGranteeKind(grantee) === 'person',
    ),
    isForEveryone: grantees.includes(everyone),
    right: rights.find((candidate) => candidate === right),
    vps: typeof vps === 'string' ? vps : '',
  };
}
