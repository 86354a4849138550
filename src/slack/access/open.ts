import type { Catalogue } from '../../operations/catalogue.ts';
import type { RawInput } from '../../operations/outcome.ts';
import { rights } from '../../operations/right.ts';
import type { Runner } from '../../operations/runs/runner.ts';
import { everyone, kindOf } from '../../workspaces/rights/grantee.ts';
import type { RightsStore } from '../../workspaces/rights/rights-store.ts';
import type { SlackClients } from '../clients.ts';
import type { Dialog, Dialogs } from '../dialogs.ts';
import { openView } from '../form/open-view.ts';
import { accessView, type GrantDraft, grantView, limitView } from './views.ts';

interface AccessDialogParts {
  readonly clients: SlackClients;
  readonly catalogue: Catalogue;
  readonly runner: Pick<Runner, 'refusalOf'>;
  readonly store: Pick<RightsStore, 'grants' | 'limits'>;
}

/**
 * Creates the dialogs in which rights are shown and changed. They open for those who may change them; anybody else gets what the operation
 * answers: what they may do themselves, or why not.
 */
export function createAccessDialogs({ clients, catalogue, runner, store }: AccessDialogParts): Dialogs {
  const forAdministrators =
    (open: Dialog): Dialog =>
    async (asking, given) => {
      // What is typed whole needs no dialog.
      const isWanted = !given.isComplete || Object.keys(given.raw).length === 0;
      const operation = catalogue.find('access grant');
      if (!isWanted || !operation) return false;
      if (await runner.refusalOf(asking, operation, {})) return false;
      return open(asking, given);
    };

  const overview = forAdministrators(async (asking) => {
    const { teamId } = asking.asker;
    const [grants, limits] = await Promise.all([store.grants(teamId), store.limits(teamId)]);
    return openView(clients, asking, accessView({ grants, limits }));
  });

  return new Map([
    ['access', overview],
    ['access revoke', overview],
    [
      'access grant',
      forAdministrators((asking, { raw }) => openView(clients, asking, grantView(draftOf(raw)))),
    ],
    [
      'access channel',
      forAdministrators((asking, { raw }) => {
        const typed = typeof raw.channel === 'string' ? raw.channel.replace(/^#/, '') : undefined;
        return openView(clients, asking, limitView(typed ?? asking.origin.channel));
      }),
    ],
  ]);
}

/** Takes what was typed of a grant that is not whole. */
function draftOf({ who, right, vps }: RawInput): GrantDraft {
  const words = typeof who === 'string' ? who.split(/\s+/).map((word) => word.replace(/^@/, '')) : [];
  return {
    people: words.filter((word) => /^[UW][A-Z0-9]+$/.test(word) && kindOf(word) === 'person'),
    isForEveryone: words.includes(everyone),
    right: rights.find((one) => one === right),
    vps: typeof vps === 'string' ? vps : '',
  };
}
