import type { Core } from '../core.ts';
import { tokensRevoked } from '../happenings.ts';
import type { Enterprise } from '../world/seed.ts';
import type { Workspace } from '../world/workspace.ts';

/** Where the app can be installed: a workspace, or an organisation with all of its workspaces. */
export interface Place {
  readonly id: string;
  readonly name: string;
  /** Set where it is an organisation. */
  readonly enterprise: Enterprise | null;
  readonly workspaces: readonly Workspace[];
}

/** Lists where the app can be installed. */
export function placesOf(core: Core): readonly Place[] {
  const workspaces = core.workspaces();
  const single = workspaces.map((workspace) => ({
    id: workspace.team.id,
    name: workspace.team.name,
    enterprise: null,
    workspaces: [workspace],
  }));
  if (!core.manifest.isForOrganisations) return single;
  const organisations = new Map(
    workspaces.flatMap(({ enterprise }) => (enterprise ? [[enterprise.id, enterprise]] : [])),
  );
  const whole = [...organisations.values()].map((enterprise) => ({
    ...enterprise,
    enterprise,
    workspaces: workspaces.filter((workspace) => workspace.enterprise?.id === enterprise.id),
  }));
  return [...single, ...whole];
}

/** Installs the app and gives its token, which stays the same while it works. */
export function install(core: Core, { id, enterprise, workspaces }: Place): string {
  const installedBy = enterprise ? 'organisation' : 'workspace';
  const [first] = workspaces;
  const isThere = first?.installedBy === installedBy && !first.tokenRevoked;
  const token = isThere ? first.token : `xoxb-sandbox-${id.slice(2).toLowerCase()}-${core.mint.secret()}`;
  for (const workspace of workspaces) {
    workspace.token = token;
    workspace.tokenRevoked = false;
    workspace.installedBy = installedBy;
    core.changes.publish({ kind: 'reset', team: workspace.team.id });
  }
  return token;
}

/** Takes the app out of a workspace, or of its whole organisation, and tells it so. */
export function uninstall(core: Core, workspace: Workspace, isWholeOrganisation: boolean): void {
  const { enterprise, installedBy } = workspace;
  const isOrgWide = installedBy === 'organisation';
  if (isOrgWide && !isWholeOrganisation) {
    void core.events.send(workspace, {
      event: { type: 'team_access_revoked', team_ids: [workspace.team.id], event_ts: core.mint.ts() },
    });
    workspace.installedBy = null;
    return;
  }
  tokensRevoked(core, workspace);
  void core.events.send(workspace, { event: { type: 'app_uninstalled', event_ts: core.mint.ts() } });
  const gone = isOrgWide
    ? core
        .workspaces()
        .filter((other) => other.enterprise?.id === enterprise?.id && other.token === workspace.token)
    : [workspace];
  for (const one of gone) one.installedBy = null;
}
