import type { Logger } from 'pino';
import type { MemberDirectory } from '../../auth/member-directory.ts';
import type { MemberGuard } from '../../auth/member-guard.ts';
import type { ChartRenderer } from '../../charts/chart-renderer.ts';
import type { AppSettings } from '../../config.ts';
import type { Metrics } from '../../http/metrics.ts';
import type { PostOutcome } from '../../messages/post-outcome.ts';
import type { LoadMonitoringOverview } from '../../monitoring/overview/overview.ts';
import type { ResolveAccess } from '../../operations/define/access/access.ts';
import type { Catalogue } from '../../operations/define/operation.ts';
import type { ListVpsAliases } from '../../runs/pipeline/run-environment.ts';
import type { Run } from '../../runs/run.ts';
import type { Runner } from '../../runs/runner.ts';
import type { RevealSecrets } from '../../runs/secrets/reveal-secrets.ts';
import type { RunStore } from '../../runs/store/run-store.ts';
import type { ListNextScheduledChanges } from '../../schedules/schedules.ts';
import type { ApiKeyManager } from '../../workspaces/api-key/api-key-manager.ts';
import type { HostingClientFor } from '../../workspaces/hosting-clients.ts';
import type { Installation, InstallationStore } from '../../workspaces/installation-store.ts';
import type { Uninstaller } from '../../workspaces/uninstaller.ts';
import type { ResolveMentions } from '../blocks/resolve-mentions.ts';
import type { SlackClients } from '../client/slack-clients.ts';
import type { ListOpenAsks } from '../home/home-overview.ts';
import type { FormViews } from '../modals/form/form-views.ts';
import type { Forms } from '../modals/form/forms.ts';
import type { UseState } from '../oauth/state-store.ts';
import type { Dispatch } from './invocation/dispatch.ts';
import type { InvocationQueue } from './invocation/invocation-queue.ts';

export interface SlackDependencies {
  readonly config: AppSettings['slack'];
  /** The server's public URL, if known. */
  readonly publicUrl: () => string | undefined;
  readonly catalogue: Catalogue;
  readonly runner: Runner;
  /** Renders a run's message again. Returns false if the run has no message. */
  readonly refreshRunMessage: (run: Run) => Promise<boolean>;
  readonly runs: RunStore;
  readonly revealSecrets: RevealSecrets;
  readonly charts: ChartRenderer;
  readonly clients: SlackClients;
  readonly postOutcome: PostOutcome;
  readonly hosting: HostingClientFor;
  /** Whether changes are refused because the hosting service doesn't answer. */
  readonly isRefusingChanges: () => boolean;
  readonly installations: InstallationStore;
  readonly apiKeys: ApiKeyManager;
  readonly access: ResolveAccess;
  readonly listVpsAliases: ListVpsAliases;
  readonly loadMonitoringOverview: LoadMonitoringOverview;
  readonly listOpenAsks: ListOpenAsks;
  readonly listNextScheduledChanges: ListNextScheduledChanges;
  readonly directory: MemberDirectory;
  readonly uninstall: Uninstaller;
  /** Stores an installation and records who made it. */
  readonly install: (installation: Installation, userId: string) => Promise<void>;
  /** Throws if one of these workspaces or organizations is suspended. */
  readonly assertActive: (...teamIds: readonly (string | undefined)[]) => Promise<void>;
  /** Records that an OAuth state was used. */
  readonly useState: UseState;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** The current time by the jobs' clock. */
  readonly now: () => number;
}

export interface ListenerDependencies extends SlackDependencies {
  readonly dispatch: Dispatch;
  readonly forms: Forms;
  readonly formViews: FormViews;
  readonly invocationQueue: InvocationQueue;
  readonly memberGuard: MemberGuard;
  readonly resolveMentions: ResolveMentions;
  /** How long (ms) a reply can take before a notice says that Rackhand is working on it. */
  readonly workingNoticeMs: number;
  /** How long (ms) clicks on a message are ignored after an edit. */
  readonly ignoreClicksMs: number;
}
