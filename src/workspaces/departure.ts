import type { Logger } from 'pino';
import { RackhandError } from '../error.ts';
import { explain } from '../operations/runs/problem.ts';
import type { Announce } from '../operations/runs/run.ts';
import type { RunStore } from '../operations/runs/run-store.ts';
import type { ApiKeyStore } from './api-key-store.ts';
import { type Installation, type InstallationStore, isOrgWide } from './installation-store.ts';
import type { ShownOnce } from './shown-once.ts';

/** What Slack says of a token: it works, it works no more, or Slack could not be asked. */
export type TokenState = 'good' | 'gone' | 'unknown';

/** Told which workspace the app is no longer in: whatever is done for it by itself ends. */
export type OnDeparted = (teamId: string) => Promise<void>;

interface DepartureParts {
  readonly installations: InstallationStore;
  readonly keys: Pick<ApiKeyStore, 'remove'>;
  readonly secrets: Pick<ShownOnce, 'forgetAllOf'>;
  readonly runs: Pick<RunStore, 'abandon' | 'record'>;
  readonly announce: Announce;
  readonly stateOf: (botToken: string) => Promise<TokenState>;
  readonly onDeparted: readonly OnDeparted[];
  readonly log: Pick<Logger, 'info' | 'error'>;
  readonly now?: () => number;
}

/** Forgets the workspaces that the app is no longer in: their secrets are deleted, and what waits there ends. */
export interface Departure {
  /** Slack says that the app, or its token, is gone from a workspace or an organisation; a later installation stays. */
  uninstalled(id: string): Promise<void>;
  /** An organisation has taken the app out of some of its workspaces. */
  left(teamIds: readonly string[]): Promise<void>;
  /** A call was refused as if the token were gone: it is, if Slack says so once more. */
  refused(id: string): Promise<void>;
  /** Resolves when nothing is being forgotten any more: Slack has had its ack, and says it only once. */
  ended(): Promise<void>;
}

const goneWords = 'Rackhand was removed from this workspace before this was sent.';

/** Creates what forgets the workspaces that the app is no longer in. */
export function createDeparture(parts: DepartureParts): Departure {
  const { installations, keys, secrets, runs, announce, stateOf, onDeparted, log, now = Date.now } = parts;
  const underWay = new Map<string, Promise<void>>();

  /** Deletes what a workspace has, unless it has an installation of its own beside that of its organisation: answers `false` then. */
  async function forgetWorkspace(teamId: string, through: Installation): Promise<boolean> {
    const own = await installations.find(teamId);
    if (own && own.teamId !== through.teamId) return false;
    await keys.remove(teamId);
    await secrets.forgetAllOf(teamId);
    const problem = explain(new RackhandError('not_installed', goneWords), { changing: false });
    for (const run of await runs.abandon(teamId, { kind: 'problem', problem }, now())) announce(run);
    for (const tell of onDeparted) await tell(teamId);
    if (isOrgWide(through)) await installations.leave(teamId);
    return true;
  }

  async function putOnRecord(teamId: string, { botUserId }: Pick<Installation, 'botUserId'>): Promise<void> {
    await runs.record({
      // Slack does not say who did it.
      asker: { teamId, userId: botUserId },
      operation: 'uninstall',
      target: 'Rackhand',
      status: 'done',
      outcome: { title: 'Rackhand was removed from this workspace, and its secrets were deleted' },
      nowMs: now(),
    });
  }

  /** The installation goes last, so that whatever stops this before its end is made up for the next time. */
  async function forget(installation: Installation): Promise<void> {
    const { teamId } = installation;
    const workspaces = isOrgWide(installation) ? await installations.workspacesOf(teamId) : [teamId];
    const gone: string[] = [];
    for (const workspace of workspaces) {
      if (await forgetWorkspace(workspace, installation)) gone.push(workspace);
    }
    if (!(await installations.remove(installation))) return;
    for (const workspace of gone) await putOnRecord(workspace, installation);
    log.info({ teamId }, 'the app was removed from a workspace: its secrets are deleted');
  }

  async function forgetIfGone(id: string, isSaidBySlack: boolean): Promise<void> {
    // This replica may still go by a token from before the app was installed anew.
    const installation = await installations.findFresh(id);
    if (!installation) return;
    const state = await stateOf(installation.botToken);
    if (state === 'good' || (state === 'unknown' && !isSaidBySlack)) return;
    await forget(installation);
  }

  async function leave(teamIds: readonly string[]): Promise<void> {
    for (const teamId of teamIds) {
      const installation = await installations.find(teamId);
      if (!installation || !isOrgWide(installation)) continue;
      await forgetWorkspace(teamId, installation);
      await putOnRecord(teamId, installation);
    }
  }

  /** Many calls of a workspace are refused at once; it is forgotten once. */
  function once(key: string, work: () => Promise<void>): Promise<void> {
    const running = underWay.get(key) ?? work().finally(() => underWay.delete(key));
    underWay.set(key, running);
    return running;
  }

  const refusalKey = (id: string) => `refused ${id}`;
  const wordKey = (id: string) => `uninstalled ${id}`;

  /** The word of Slack weighs more than a refusal: it waits until that has been looked into, and is looked into itself. */
  async function takeWord(id: string): Promise<void> {
    await underWay.get(refusalKey(id))?.catch(() => undefined);
    await forgetIfGone(id, true);
  }

  return {
    uninstalled: (id) => once(wordKey(id), () => takeWord(id)),
    left: (teamIds) => once(`left ${teamIds.join()}`, () => leave(teamIds)),
    refused: (id) =>
      (underWay.get(wordKey(id)) ?? once(refusalKey(id), () => forgetIfGone(id, false))).catch((error) =>
        log.error({ err: error, teamId: id }, 'a workspace that is gone could not be forgotten'),
      ),
    async ended() {
      while (underWay.size > 0) await Promise.allSettled(underWay.values());
    },
  };
}
