import type { Logger } from 'pino';
import { RackhandError } from '../errors.ts';
import { toProblem } from '../runs/problem.ts';
import type { OneTimeSecretStore } from '../runs/secrets/one-time-secret-store.ts';
import type { RunStore } from '../runs/store/run-store.ts';
import type { ApiKeyStore } from './api-key/api-key-store.ts';
import { type Installation, type InstallationStore, isOrgWide } from './installation-store.ts';

/** Whether Slack still accepts a token. `unknown` means that Slack couldn't be reached. */
export type TokenState = 'valid' | 'revoked' | 'unknown';

/** Deletes data that must not outlive the installation, and schedules the deletion of the remaining data. */
export type OnUninstalled = (teamId: string) => Promise<void>;

interface UninstallerDependencies {
  readonly installations: InstallationStore;
  readonly keys: Pick<ApiKeyStore, 'remove'>;
  readonly secrets: Pick<OneTimeSecretStore, 'deleteForWorkspace'>;
  readonly runs: Pick<RunStore, 'expireUnsent' | 'addAuditEntry'>;
  readonly checkToken: (botToken: string) => Promise<TokenState>;
  readonly onUninstalled: OnUninstalled;
  readonly log: Pick<Logger, 'info' | 'error'>;
  readonly now?: () => number;
}

/** Cleans up after workspaces that removed the app: deletes their secrets and expires their unsent runs. */
export interface Uninstaller {
  /** Handles Slack's report of an uninstall or a revoked token. Keeps an installation made since then. */
  handleUninstalled(id: string): Promise<void>;
  /** Handles Slack's report that an organization removed the app from some of its workspaces. */
  handleWorkspacesRemoved(teamIds: readonly string[]): Promise<void>;
  /** Handles a call that failed with a token error. Cleans up only if Slack confirms that the token is revoked. */
  handleTokenRejected(id: string): Promise<void>;
  /**
   * Resolves when no cleanup is running. A cleanup must be able to finish, because Slack reports an
   * uninstall only once.
   */
  drained(): Promise<void>;
}

const uninstalledMessage = 'Rackhand was removed from this workspace before this was sent.';

export function createUninstaller(dependencies: UninstallerDependencies): Uninstaller {
  const { installations, keys, secrets, runs, checkToken, onUninstalled, log, now = Date.now } = dependencies;
  const running = new Map<string, Promise<void>>();

  /**
   * Deletes a workspace's secrets and expires its unsent runs. Does nothing and returns false if the
   * organization's installation was removed but the workspace has its own.
   */
  async function deleteWorkspaceData(teamId: string, removed: Installation): Promise<boolean> {
    const own = await installations.find(teamId);
    if (own && own.teamId !== removed.teamId) return false;
    await keys.remove(teamId);
    await secrets.deleteForWorkspace(teamId);
    const problem = toProblem(new RackhandError('not_installed', uninstalledMessage), { isChanging: false });
    await runs.expireUnsent(teamId, { kind: 'problem', problem }, now());
    await onUninstalled(teamId);
    if (isOrgWide(removed)) await installations.removeWorkspace(teamId);
    return true;
  }

  async function auditUninstall(
    teamId: string,
    { botUserId }: Pick<Installation, 'botUserId'>,
  ): Promise<void> {
    await runs.addAuditEntry({
      // The bot is named as the actor, because Slack doesn't say who uninstalled the app.
      actor: { teamId, userId: botUserId },
      operation: 'uninstall',
      target: 'Rackhand',
      status: 'done',
      outcome: { title: 'Rackhand was removed from this workspace, and its secrets were deleted' },
      nowMs: now(),
    });
  }

  /**
   * Removes an installation and its data. The installation itself is deleted last, so an interrupted
   * cleanup can be repeated.
   */
  async function uninstall(installation: Installation): Promise<void> {
    const { teamId } = installation;
    const workspaces = isOrgWide(installation) ? await installations.listWorkspaces(teamId) : [teamId];
    const removed: string[] = [];
    for (const workspace of workspaces) {
      if (await deleteWorkspaceData(workspace, installation)) removed.push(workspace);
    }
    if (!(await installations.remove(installation))) return;
    for (const workspace of removed) await auditUninstall(workspace, installation);
    log.info({ teamId }, 'the app was removed from a workspace, and its secrets were deleted');
  }

  async function uninstallIfRevoked(id: string, isReportedBySlack: boolean): Promise<void> {
    // Bypasses the cache, which could still contain an earlier installation's token.
    const installation = await installations.findFresh(id);
    if (!installation) return;
    const state = await checkToken(installation.botToken);
    if (state === 'valid' || (state === 'unknown' && !isReportedBySlack)) return;
    await uninstall(installation);
  }

  async function removeWorkspaces(teamIds: readonly string[]): Promise<void> {
    for (const teamId of teamIds) {
      const installation = await installations.find(teamId);
      if (!installation || !isOrgWide(installation)) continue;
      await deleteWorkspaceData(teamId, installation);
      await auditUninstall(teamId, installation);
    }
  }

  /** Runs a task, or joins the running task with the same key. If a token is revoked, many calls fail at once. */
  function runOnce(key: string, task: () => Promise<void>): Promise<void> {
    const promise = running.get(key) ?? task().finally(() => running.delete(key));
    running.set(key, promise);
    return promise;
  }

  const tokenRejectedKey = (id: string) => `rejected ${id}`;
  const uninstalledKey = (id: string) => `uninstalled ${id}`;

  /**
   * Waits for a running token check, and then cleans up unless Slack says that the token is valid. If
   * Slack can't be reached, trusts its report of the uninstall.
   */
  async function processUninstalled(id: string): Promise<void> {
    await running.get(tokenRejectedKey(id))?.catch(() => undefined);
    await uninstallIfRevoked(id, true);
  }

  return {
    handleUninstalled: (id) => runOnce(uninstalledKey(id), () => processUninstalled(id)),
    handleWorkspacesRemoved: (teamIds) =>
      runOnce(`removed ${teamIds.join()}`, () => removeWorkspaces(teamIds)),
    handleTokenRejected: (id) =>
      (
        running.get(uninstalledKey(id)) ?? runOnce(tokenRejectedKey(id), () => uninstallIfRevoked(id, false))
      ).catch((error) =>
        log.error({ err: error, teamId: id }, 'the cleanup of an uninstalled workspace failed'),
      ),
    async drained() {
      while (running.size > 0) await Promise.allSettled(running.values());
    },
  };
}
