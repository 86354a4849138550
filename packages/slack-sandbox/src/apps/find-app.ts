import type { Core } from '../core.ts';
import { findTokenExpiry } from '../workspace/token-rotation.ts';
import { findUserGrant } from '../workspace/user-grants.ts';

/** Returns the app with an ID or a name, in any case. */
export function findApp(apps: readonly Core[], reference: string): Core | undefined {
  const searched = reference.toLowerCase();
  return apps.find(({ app, manifest }) =>
    [app.id, manifest.name, manifest.botName].some((known) => known.toLowerCase() === searched),
  );
}

/** Returns the app to which a token belongs: of a bot, a person or a function, or the app-level token. */
export function findAppOfToken(apps: readonly Core[], token: string): Core | undefined {
  return apps.find(
    (core) =>
      core.app.appToken === token ||
      core
        .workspaces()
        .some(
          (workspace) =>
            findTokenExpiry(workspace, token) !== undefined ||
            findUserGrant(workspace, token) !== undefined ||
            [...workspace.functionExecutions.values()].some((execution) => execution.token === token),
        ),
  );
}

/** Returns the app with this `client_id`. */
export function findAppOfClient(apps: readonly Core[], clientId: unknown): Core | undefined {
  return apps.find(({ app }) => app.clientId === clientId);
}
