import type { Core } from '../core.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { AppEvent } from './event-dispatcher.ts';

/**
 * Sends an event to every app that is in its channel. An event about no channel goes to every app,
 * and so does one with the audience `everyone`.
 */
export function announceEvent(
  core: Core,
  { team }: Workspace,
  event: AppEvent,
  audience: 'members' | 'everyone' = event.channel ? 'members' : 'everyone',
): void {
  for (const app of core.apps()) {
    const workspace = app.findWorkspace(team.id);
    if (workspace) app.events.announce(workspace, event, audience);
  }
}
