import type { Core } from '../core.ts';
import { type UserGrant, UserScopes } from '../workspace/user-grants.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** The app and the workspace as a call sees them. */
export interface CallerView {
  readonly core: Core;
  readonly workspace: Workspace;
}

/** Returns the view of a call with a person's token: the person acts, with the scopes they allowed. */
export function viewAsPerson(core: Core, workspace: Workspace, { userId, scopes }: UserGrant): CallerView {
  return {
    core: { ...core, manifest: { ...core.manifest, scopes: new UserScopes(scopes) } },
    workspace: { ...workspace, caller: { userId, isPerson: true } },
  };
}

/** Returns the view of a call with the token of a function: what the app shows belongs to that function. */
export function viewAsFunction(core: Core, workspace: Workspace, executionId: string): CallerView {
  return { core, workspace: { ...workspace, caller: { ...workspace.caller, executionId } } };
}
