import type { MemberGuard } from '../../auth/member-guard.ts';
import type { LoadMonitoringOverview } from '../../monitoring/overview/overview.ts';
import type { ResolveAccess } from '../../operations/define/access/access.ts';
import type { Catalogue } from '../../operations/define/operation.ts';
import type { ListVpsAliases } from '../../runs/pipeline/run-environment.ts';
import type { Run } from '../../runs/run.ts';
import type { Runner } from '../../runs/runner.ts';
import type { RevealSecrets } from '../../runs/secrets/reveal-secrets.ts';
import type { RunStore } from '../../runs/store/run-store.ts';
import type { ListNextScheduledChanges } from '../../schedules/schedules.ts';
import type { HostingClientFor } from '../../workspaces/hosting-clients.ts';
import type { ResolveMentions } from '../blocks/resolve-mentions.ts';
import type { SlackClients } from '../client/slack-clients.ts';
import type { ListOpenAsks } from '../home/home-overview.ts';
import type { FormViews } from '../modals/form/form-views.ts';
import type { Forms } from '../modals/form/forms.ts';
import type { Dispatch } from './invocation/dispatch.ts';
import type { InvocationQueue } from './invocation/invocation-queue.ts';

export interface ListenerDependencies {
  readonly catalogue: Catalogue;
  readonly runner: Runner;
  readonly runs: RunStore;
  readonly revealSecrets: RevealSecrets;
  readonly dispatch: Dispatch;
  readonly forms: Forms;
  readonly formViews: FormViews;
  readonly clients: SlackClients;
  readonly hosting: HostingClientFor;
  /** Whether changes are refused because the hosting service doesn't answer. */
  readonly isRefusingChanges: () => boolean;
  readonly invocationQueue: InvocationQueue;
  readonly memberGuard: MemberGuard;
  readonly access: ResolveAccess;
  readonly listVpsAliases: ListVpsAliases;
  readonly loadMonitoringOverview: LoadMonitoringOverview;
  readonly listOpenAsks: ListOpenAsks;
  readonly listNextScheduledChanges: ListNextScheduledChanges;
  readonly resolveMentions: ResolveMentions;
  /** Renders a run's message again. Returns false if the run has none. */
  readonly refreshRunMessage: (run: Run) => Promise<boolean>;
  /** The current time by the jobs' clock. */
  readonly now: () => number;
  /** How long (ms) a reply can take before a notice says that Rackhand is working on it. */
  readonly workingNoticeMs: number;
  /** For how long (ms) after an edit of a message clicks on it are ignored. */
  readonly ignoreClicksMs: number;
}
