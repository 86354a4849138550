import type { HostingClient } from '../hosting/client/hosting-client.ts';
import type { OperationContext } from '../operations/define/operation.ts';

/** The hosting client of a run's workspace, and the context of its operation. */
export interface RunContext {
  readonly hosting: HostingClient;
  readonly operationContext: OperationContext;
}
