import type { Catalogue } from '../../operations/catalogue.ts';
import type { Access } from '../../operations/runs/access.ts';
import type { RunStore } from '../../operations/runs/run-store.ts';
import type { Runner } from '../../operations/runs/runner.ts';
import type { SecretKeeper } from '../../operations/runs/secret-keeper.ts';
import type { HostingAccess } from '../../workspaces/hosting-access.ts';
import type { Answering } from '../answering.ts';
import type { SlackClients } from '../clients.ts';
import type { Dispatch } from '../dispatch.ts';
import type { Door } from '../door.ts';
import type { Forms } from '../form/forms.ts';
import type { LiveViews } from '../form/live-view.ts';
import type { RunMessages } from '../run-message.ts';
import type { WithNames } from '../with-names.ts';

/** What the listeners work with. */
export interface ListenerParts {
  readonly catalogue: Catalogue;
  readonly runner: Runner;
  readonly runs: RunStore;
  readonly secrets: SecretKeeper;
  readonly dispatch: Dispatch;
  readonly forms: Forms;
  readonly views: LiveViews;
  readonly clients: SlackClients;
  readonly hosting: HostingAccess;
  readonly answering: Answering;
  readonly door: Door;
  readonly access: Access;
  readonly withNames: WithNames;
  readonly runMessages: RunMessages;
}
