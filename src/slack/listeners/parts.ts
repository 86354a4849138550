import type { Catalogue } from '../../operations/catalogue.ts';
import type { Runner } from '../../operations/runs/runner.ts';
import type { HostingAccess } from '../../workspaces/hosting-access.ts';
import type { Answering } from '../answering.ts';
import type { SlackClients } from '../clients.ts';
import type { Dispatch } from '../dispatch.ts';

/** What the listeners work with. */
export interface ListenerParts {
  readonly catalogue: Catalogue;
  readonly runner: Runner;
  readonly dispatch: Dispatch;
  readonly clients: SlackClients;
  readonly hosting: HostingAccess;
  readonly answering: Answering;
}
