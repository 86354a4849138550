import { InvalidActionError } from '../acts/invalid-action-error.ts';
import type { Core } from '../core.ts';
import { sendTokensRevoked } from '../delivery/app-events.ts';
import type { Enterprise } from '../workspace/seed.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type RotatingTokens, rotateToken } from './rotating-tokens.ts';

/** A target for an installation: a workspace, or an organization with all its workspaces. */
export interface InstallTarget {
  readonly id: string;
  readonly name: string;
  /** Set only if the target is an organization. */
  readonly enterprise: Enterprise | null;
  readonly workspaces: readonly Workspace[];
}

/** Lists the workspaces and organizations in which the app can be installed. */
export function listInstallTargets(core: Core): readonly InstallTarget[] {
  const workspaces = core.workspaces();
  const single = workspaces.map((workspace) => ({
    id: workspace.team.id,
    name: workspace.team.name,
    enterprise: null,
    workspaces: [workspace],
  }));
  if (!core.manifest.isOrgDeployable) return single;
  const organizations = new Map(
    workspaces.flatMap(({ enterprise }) => (enterprise ? [[enterprise.id, enterprise]] : [])),
  );
  const whole = [...organizations.values()].map((enterprise) => ({
    ...enterprise,
    enterprise,
    workspaces: workspaces.filter((workspace) => workspace.enterprise?.id === enterprise.id),
  }));
  return [...single, ...whole];
}

/**
 * Installs the app and returns its token. Installing it again returns the same token, unless tokens
 * rotate.
 */
export function installApp(
  core: Core,
  { id, enterprise, workspaces }: InstallTarget,
): { readonly access_token: string } | RotatingTokens {
  const installedBy = enterprise ? 'organization' : 'workspace';
  const [first] = workspaces;
  const isThere = first?.installedBy === installedBy && !first.isTokenRevoked;
  const token = isThere ? first.token : `xoxb-sandbox-${id.slice(2).toLowerCase()}-${core.ids.secret()}`;
  for (const workspace of workspaces) {
    if (!isThere) workspace.rotation = null;
    workspace.token = token;
    workspace.isTokenRevoked = false;
    workspace.installedBy = installedBy;
    core.changes.publish({ kind: 'reset', team: workspace.team.id });
  }
  return core.manifest.rotatesTokens ? rotateToken(core, workspaces) : { access_token: token };
}

/** Gives an app that an organization has installed access to one more of its workspaces, and tells the app. */
export function grantAccess(core: Core, workspace: Workspace): void {
  const { enterprise, installedBy, team } = workspace;
  const sibling = core
    .workspaces()
    .find((other) => other.enterprise?.id === enterprise?.id && other.installedBy === 'organization');
  if (!enterprise || !sibling) {
    throw new InvalidActionError(`The organization of ${team.id} has not installed the app`);
  }
  if (installedBy) throw new InvalidActionError(`The app is installed in ${team.id}`);
  workspace.token = sibling.token;
  workspace.rotation = sibling.rotation;
  workspace.installedBy = 'organization';
  core.changes.publish({ kind: 'reset', team: team.id });
  void core.events.send(workspace, {
    event: { type: 'team_access_granted', team_ids: [team.id], event_ts: core.ids.ts() },
  });
}

/** Uninstalls the app from a workspace, or from its whole organization. Notifies the app. */
export function uninstallApp(core: Core, workspace: Workspace, isWholeOrganization: boolean): void {
  const { enterprise, installedBy } = workspace;
  const isOrgWide = installedBy === 'organization';
  if (isOrgWide && !isWholeOrganization) {
    void core.events.send(workspace, {
      event: { type: 'team_access_revoked', team_ids: [workspace.team.id], event_ts: core.ids.ts() },
    });
    workspace.installedBy = null;
    return;
  }
  sendTokensRevoked(core, workspace);
  void core.events.send(workspace, { event: { type: 'app_uninstalled', event_ts: core.ids.ts() } });
  const gone = isOrgWide
    ? core
        .workspaces()
        .filter((other) => other.enterprise?.id === enterprise?.id && other.token === workspace.token)
    : [workspace];
  for (const one of gone) {
    one.installedBy = null;
    one.userGrants.clear();
  }
}
