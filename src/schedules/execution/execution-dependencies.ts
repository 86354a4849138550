import type { FindCreatorStanding } from '../../auth/creator-standing.ts';
import type { HostingClient } from '../../hosting/client/hosting-client.ts';
import type { ResolveAccess } from '../../operations/define/access/access.ts';
import type { Catalogue } from '../../operations/define/operation.ts';
import type { ListVpsAliases } from '../../runs/pipeline/run-environment.ts';
import type { Runner } from '../../runs/runner.ts';
import type { RunStore } from '../../runs/store/run-store.ts';
import type { SnapshotStore } from '../retention/snapshot-store.ts';
import type { ScheduleStore } from '../schedule-store.ts';

export interface ExecutionDependencies {
  readonly store: ScheduleStore;
  readonly snapshots: SnapshotStore;
  readonly runs: Pick<RunStore, 'findByRequestKey'>;
  readonly runner: () => Pick<Runner, 'runScheduled' | 'deliver'>;
  readonly catalogue: () => Catalogue;
  readonly hostingFor: (teamId: string) => HostingClient;
  readonly listVpsAliases: ListVpsAliases;
  readonly resolveAccess: ResolveAccess;
  readonly findCreatorStanding: FindCreatorStanding;
}
